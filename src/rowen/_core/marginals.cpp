#include "marginals.hpp"

#include <algorithm>
#include <cmath>

namespace rowen::chain {
namespace {

// exp() of a weight beyond these is of no use in single precision, and one below would make a label
// impossible where no other is possible either.
constexpr float lowest = -40.0F, highest = 40.0F;
constexpr float tiny = 1e-30F;

// Divides a row by its sum and returns the sum.
float normalize(float* row, std::size_t width) {
    float sum = tiny;
    for (std::size_t b = 0; b < width; ++b) {
        sum += row[b];
    }
    for (std::size_t b = 0; b < width; ++b) {
        row[b] /= sum;
    }
    return sum;
}

}  // namespace

Steps::Steps(const float* transitions, std::size_t count, std::size_t width)
    : count_(count), width_(width), from_(count * width, 0.0F), to_(count * width, 0.0F) {
    for (std::size_t a = 0; a < count; ++a) {
        for (std::size_t b = 0; b < count; ++b) {
            const float weight = std::exp(std::clamp(transitions[a * width + b], lowest, highest));
            from_[a * width + b] = weight;
            to_[b * width + a] = weight;
        }
    }
}

void find_marginals(const Steps& steps, const float* scores, std::size_t rows, bool with_steps,
                    Marginals& marginals) {
    const std::size_t width = steps.width(), count = steps.count();
    marginals.own.assign(rows * width, 0.0F);
    marginals.forward.assign(rows * width, 0.0F);
    marginals.backward.assign(width, 0.0F);
    marginals.label.assign(rows * width, 0.0F);
    marginals.log_sum = 0;
    if (with_steps) {
        marginals.step.assign(count * width, 0.0F);
    }
    if (rows == 0) {
        return;
    }
    // Each row is divided by its largest value and by its sum: nothing overflows however long the
    // sequence is, and the logarithms of what was divided by add up to `log_sum`.
    for (std::size_t row = 0; row < rows; ++row) {
        const float* const score = &scores[row * width];
        float* const own = &marginals.own[row * width];
        const float best = *std::max_element(score, score + count);
        for (std::size_t b = 0; b < count; ++b) {
            own[b] = std::exp(score[b] - best);
        }
        float* const here = &marginals.forward[row * width];
        if (row == 0) {
            std::copy_n(own, width, here);
        } else {
            const float* const before = here - width;
            for (std::size_t a = 0; a < count; ++a) {
                const float* const step = steps.from(a);
                const float base = before[a];
                for (std::size_t b = 0; b < width; ++b) {
                    here[b] += base * step[b];
                }
            }
            for (std::size_t b = 0; b < width; ++b) {
                here[b] *= own[b];
            }
        }
        const float sum = normalize(here, width);
        marginals.log_sum += static_cast<double>(best) + std::log(static_cast<double>(sum));
    }
    std::vector<float> ahead(width);
    std::fill_n(marginals.backward.begin(), count, 1.0F);
    for (std::size_t row = rows; row-- > 0;) {
        const float* const here = &marginals.forward[row * width];
        float* const label = &marginals.label[row * width];
        float* const backward = marginals.backward.data();
        for (std::size_t b = 0; b < width; ++b) {
            label[b] = here[b] * backward[b];
        }
        normalize(label, width);
        if (row == 0) {
            break;
        }
        const float* const own = &marginals.own[row * width];
        for (std::size_t b = 0; b < width; ++b) {
            ahead[b] = own[b] * backward[b];
            backward[b] = 0.0F;
        }
        for (std::size_t b = 0; b < count; ++b) {
            const float* const step = steps.to(b);
            const float base = ahead[b];
            for (std::size_t a = 0; a < width; ++a) {
                backward[a] += base * step[a];
            }
        }
        if (with_steps) {
            const float* const before = here - width;
            float sum = tiny;
            for (std::size_t a = 0; a < count; ++a) {
                sum += before[a] * backward[a];
            }
            for (std::size_t a = 0; a < count; ++a) {
                const float* const step = steps.from(a);
                float* const expected = &marginals.step[a * width];
                const float base = before[a] / sum;
                for (std::size_t b = 0; b < width; ++b) {
                    expected[b] += base * step[b] * ahead[b];
                }
            }
        }
        normalize(backward, width);
    }
}

}  // namespace rowen::chain
