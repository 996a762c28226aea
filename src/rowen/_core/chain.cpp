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

Chain::Chain(Templates templates, Weights weights)
    : templates_(std::move(templates)),
      transitions_(std::move(weights.transitions)),
      label_count_(weights.label_count) {
    weights_.reserve(weights.labels.size());
    for (std::size_t i = 0; i < weights.labels.size(); ++i) {
        weights_.push_back({weights.labels[i], weights.weights[i]});
    }
    slots_.resize(std::bit_ceil(weights.keys.size() + weights.keys.size() / 2 + 1));
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t i = 0; i < weights.keys.size(); ++i) {
        const std::uint64_t key = weights.keys[i];
        std::size_t slot = key & mask;
        while (slots_[slot].key != 0 && slots_[slot].key != key) {
            slot = (slot + 1) & mask;
        }
        if (key != 0 && slots_[slot].key == 0) {  // 0 is no feature's key; the first of two counts
            slots_[slot] = {key, weights.starts[i], weights.starts[i + 1]};
        }
    }
}

const Chain::Slot& Chain::slot_of(std::uint64_t key) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = key & mask;
    while (slots_[slot].key != key && slots_[slot].key != 0) {
        slot = (slot + 1) & mask;
    }
    return slots_[slot];
}

std::vector<float> Chain::states(const Rows& rows) const {
    const std::size_t mask = slots_.size() - 1;
    std::vector<std::uint64_t> keys(templates_.size());
    std::vector<const Slot*> known;
    known.reserve(keys.size());
    std::vector<float> scores(rows.count * label_count_, 0.0F);
    for (std::size_t row = 0; row < rows.count; ++row) {
        // Step by step for all keys, so that memory is under way while the next ones are made.
        for (std::size_t t = 0; t < keys.size(); ++t) {
            keys[t] = templates_.key(rows, row, t);
            __builtin_prefetch(&slots_[keys[t] & mask]);
        }
        known.clear();
        for (const std::uint64_t key : keys) {
            const Slot& slot = slot_of(key);
            if (key != 0 && slot.key == key) {
                known.push_back(&slot);
                __builtin_prefetch(weights_.data() + slot.start);
            }
        }
        float* const row_scores = &scores[row * label_count_];
        for (const Slot* const slot : known) {
            for (std::uint32_t j = slot->start; j < slot->end; ++j) {
                row_scores[weights_[j].label] += weights_[j].weight;
            }
        }
    }
    return scores;
}

std::vector<std::uint8_t> Chain::label(const Rows& rows) const {
    const std::size_t labels = label_count_;
    const std::vector<float> state = states(rows);
    std::vector<std::uint8_t> found(rows.count);
    if (rows.count == 0) {
        return found;
    }
    std::vector<std::int32_t> from(rows.count * labels);
    std::vector<float> best(state.begin(), state.begin() + static_cast<std::ptrdiff_t>(labels));
    std::vector<float> next(labels);
    for (std::size_t row = 1; row < rows.count; ++row) {
        std::fill(next.begin(), next.end(), -INFINITY);
        std::int32_t* const origins = &from[row * labels];
        float* const sums = next.data();
        for (std::size_t a = 0; a < labels; ++a) {
            const float* const step = &transitions_[a * labels];
            const float base = best[a];
            // Without a branch, so that several labels go at once.
            for (std::size_t b = 0; b < labels; ++b) {
                const float score = base + step[b];
                const bool better = score > sums[b];
                sums[b] = better ? score : sums[b];
                origins[b] = better ? static_cast<std::int32_t>(a) : origins[b];
            }
        }
        for (std::size_t b = 0; b < labels; ++b) {
            next[b] += state[row * labels + b];
        }
        std::swap(best, next);
    }
    std::size_t label = static_cast<std::size_t>(
        std::max_element(best.begin(), best.end()) - best.begin());
    for (std::size_t row = rows.count; row-- > 0;) {
        found[row] = static_cast<std::uint8_t>(label);
        label = static_cast<std::size_t>(from[row * labels + label]);
    }
    return found;
}

}  // namespace rowen::chain
