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
    : templates_(std::move(templates)), weights_(std::move(weights)) {
    slots_.assign(std::bit_ceil(2 * weights_.keys.size() + 1), 0);
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t i = 0; i < weights_.keys.size(); ++i) {
        std::size_t slot = weights_.keys[i] & mask;
        while (slots_[slot] != 0) {
            slot = (slot + 1) & mask;
        }
        slots_[slot] = static_cast<std::uint32_t>(i + 1);
    }
}

std::vector<float> Chain::states(const Rows& rows) const {
    const std::size_t labels = weights_.label_count;
    const std::size_t mask = slots_.size() - 1;
    std::vector<std::uint64_t> keys(templates_.size());
    std::vector<float> scores(rows.count * labels, 0.0F);
    for (std::size_t row = 0; row < rows.count; ++row) {
        // All keys first, so that memory is under way while the next ones are made.
        for (std::size_t t = 0; t < keys.size(); ++t) {
            keys[t] = templates_.key(rows, row, t);
            __builtin_prefetch(&slots_[keys[t] & mask]);
        }
        float* const row_scores = &scores[row * labels];
        for (const std::uint64_t key : keys) {
            for (std::size_t slot = key & mask; key != 0 && slots_[slot] != 0;
                 slot = (slot + 1) & mask) {
                const std::size_t i = slots_[slot] - 1;
                if (weights_.keys[i] == key) {
                    for (std::uint32_t j = weights_.starts[i]; j < weights_.starts[i + 1]; ++j) {
                        row_scores[weights_.labels[j]] += weights_.weights[j];
                    }
                    break;
                }
            }
        }
    }
    return scores;
}

std::vector<std::uint8_t> Chain::label(const Rows& rows) const {
    const std::size_t labels = weights_.label_count;
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
            const float* const step = &weights_.transitions[a * labels];
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
