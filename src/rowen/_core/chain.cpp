#include "chain.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace rowen::chain {
namespace {

std::uint64_t mix(std::uint64_t value) {
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9u;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EBu;
    return value ^ (value >> 31);
}

constexpr std::size_t lane = 8;  // labels that are scored together

// A square of transitions with rows of `width` columns.
std::vector<float> padded(const std::vector<float>& square, std::size_t count, std::size_t width) {
    std::vector<float> rows(count * width, -INFINITY);
    for (std::size_t a = 0; a < count; ++a) {
        std::copy_n(&square[a * count], count, &rows[a * width]);
    }
    return rows;
}

}  // namespace

Templates::Templates(std::vector<std::vector<Part>> templates) : templates_(std::move(templates)) {
    for (const auto& parts : templates_) {
        for (const Part& part : parts) {
            columns_ = std::max(columns_, static_cast<std::size_t>(part.column) + 1);
        }
    }
}

std::uint64_t Templates::key(const Rows& rows, std::size_t row, std::size_t index) const {
    std::uint64_t key = mix(index + 1);
    for (const Part& part : templates_[index]) {
        const auto at = static_cast<std::int64_t>(row) + part.offset;
        std::uint64_t value;
        if (at < 0 || at >= static_cast<std::int64_t>(rows.count)) {
            value = at < 0 ? 1 : 2;  // beyond the ends
        } else {
            value = rows.data[static_cast<std::size_t>(at) * rows.columns + part.column];
            if (value == 0) {
                return 0;
            }
        }
        key = mix(key + value);
    }
    return std::max<std::uint64_t>(key, 1);
}

LinearChainCRF::LinearChainCRF(Templates templates, Weights weights)
    : templates_(std::move(templates)),
      label_count_(weights.label_count),
      width_((weights.label_count + lane - 1) / lane * lane),
      transitions_(padded(weights.transitions, label_count_, width_)),
      steps_(transitions_.data(), label_count_, width_) {
    slots_.resize(std::bit_ceil(weights.keys.size() + weights.keys.size() / 2 + 1));
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t i = 0; i < weights.keys.size(); ++i) {
        const std::uint64_t key = weights.keys[i];
        std::size_t slot = key & mask;
        while (slots_[slot].key != 0 && slots_[slot].key != key) {
            slot = (slot + 1) & mask;
        }
        if (key != 0 && slots_[slot].key == 0) {  // 0 is no feature's key; the first of two counts
            slots_[slot] = stored(key, weights, i);
        }
    }
}

LinearChainCRF::Slot LinearChainCRF::stored(std::uint64_t key, const Weights& weights,
                                            std::size_t index) {
    const std::size_t start = weights.starts[index], end = weights.starts[index + 1];
    if (end - start > width_ / 4) {  // adding zeros, several at once, is faster than adding one by one
        const std::size_t row = dense_.size();
        dense_.resize(row + width_, 0.0F);
        for (std::size_t j = start; j < end; ++j) {
            dense_[row + weights.labels[j]] += weights.weights[j];
        }
        return {key, static_cast<std::uint32_t>(row), all};
    }
    const std::size_t first = weights_.size();
    for (std::size_t j = start; j < end; ++j) {
        weights_.push_back({weights.labels[j], weights.weights[j]});
    }
    return {key, static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(end - start)};
}

const LinearChainCRF::Slot& LinearChainCRF::slot_of(std::uint64_t key) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = key & mask;
    while (slots_[slot].key != key && slots_[slot].key != 0) {
        slot = (slot + 1) & mask;
    }
    return slots_[slot];
}

std::vector<float> LinearChainCRF::states(const Rows& rows) const {
    const std::size_t mask = slots_.size() - 1;
    std::vector<std::uint64_t> keys(templates_.size());
    std::vector<const Slot*> weighted;
    weighted.reserve(keys.size());
    std::vector<float> scores(rows.count * width_, 0.0F);
    for (std::size_t row = 0; row < rows.count; ++row) {
        // In three passes over all keys, so that memory is fetched while the next keys are computed.
        for (std::size_t t = 0; t < keys.size(); ++t) {
            keys[t] = templates_.key(rows, row, t);
            __builtin_prefetch(&slots_[keys[t] & mask]);
        }
        weighted.clear();
        for (const std::uint64_t key : keys) {
            const Slot& slot = slot_of(key);
            if (key != 0 && slot.key == key) {
                weighted.push_back(&slot);
                if (slot.count == all) {
                    __builtin_prefetch(dense_.data() + slot.start);
                } else {
                    __builtin_prefetch(weights_.data() + slot.start);
                }
            }
        }
        float* const row_scores = &scores[row * width_];
        for (const Slot* const slot : weighted) {
            if (slot->count == all) {
                const float* const own = &dense_[slot->start];
                for (std::size_t label = 0; label < width_; ++label) {
                    row_scores[label] += own[label];
                }
                continue;
            }
            for (std::uint32_t j = slot->start; j < slot->start + slot->count; ++j) {
                row_scores[weights_[j].label] += weights_[j].weight;
            }
        }
    }
    return scores;
}

std::vector<std::uint8_t> LinearChainCRF::label(const Rows& rows) const {
    return best_path(states(rows), rows.count);
}

Labelling LinearChainCRF::label_surely(const Rows& rows, const std::uint8_t* groups) const {
    std::vector<float> scores = states(rows);
    Marginals marginals;
    find_marginals(steps_, scores.data(), rows.count, false, marginals);
    Labelling labelling{best_path(std::move(scores), rows.count), {}};
    labelling.probabilities.reserve(rows.count);
    for (std::size_t row = 0; row < rows.count; ++row) {
        const float* const own = &marginals.label[row * width_];
        const std::uint8_t group = groups[labelling.labels[row]];
        float sum = 0;
        for (std::size_t label = 0; label < label_count_; ++label) {
            sum += groups[label] == group ? own[label] : 0.0F;
        }
        labelling.probabilities.push_back(std::min(sum, 1.0F));
    }
    return labelling;
}

std::vector<std::uint8_t> LinearChainCRF::best_path(std::vector<float> scores,
                                                    std::size_t rows) const {
    std::vector<std::uint8_t> labels(rows);
    if (rows == 0) {
        return labels;
    }
    // Viterbi's forward pass, in place: a row's own scores become the best scores of all paths that
    // end in each of its labels.
    std::vector<float> sums(width_);
    for (std::size_t row = 1; row < rows; ++row) {
        const float* const before = &scores[(row - 1) * width_];
        float* const here = &scores[row * width_];
        std::fill(sums.begin(), sums.end(), -INFINITY);
        for (std::size_t a = 0; a < label_count_; ++a) {
            const float* const step = &transitions_[a * width_];
            const float base = before[a];
            float* const best = sums.data();
            for (std::size_t b = 0; b < width_; ++b) {
                best[b] = std::max(best[b], base + step[b]);
            }
        }
        for (std::size_t b = 0; b < width_; ++b) {
            here[b] += sums[b];
        }
    }
    const float* const last = &scores[(rows - 1) * width_];
    auto label = static_cast<std::size_t>(std::max_element(last, last + label_count_) - last);
    for (std::size_t row = rows; row-- > 0;) {
        labels[row] = static_cast<std::uint8_t>(label);
        if (row > 0) {
            // Back along the best path. Origins are computed here, for the labels on the path only:
            // so few are needed that the forward pass stores none.
            const float* const before = &scores[(row - 1) * width_];
            std::size_t from = 0;
            for (std::size_t a = 1; a < label_count_; ++a) {
                if (before[a] + transitions_[a * width_ + label] >
                    before[from] + transitions_[from * width_ + label]) {
                    from = a;
                }
            }
            label = from;
        }
    }
    return labels;
}

}  // namespace rowen::chain
