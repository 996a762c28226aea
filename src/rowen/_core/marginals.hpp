// The forward-backward algorithm for a linear chain: how probable each label is at each row, given
// the scores of labels at rows and the weights of transitions.
#pragma once

#include <cstddef>
#include <vector>

namespace rowen::chain {

// exp(transition weight) from label to label, and the same transposed. Rows have `width` columns, a
// whole number of vector lanes; the columns beyond `count` are 0.
class Steps {
  public:
    Steps(const float* transitions, std::size_t count, std::size_t width);

    std::size_t count() const { return count_; }
    std::size_t width() const { return width_; }
    const float* from(std::size_t label) const { return &from_[label * width_]; }
    const float* to(std::size_t label) const { return &to_[label * width_]; }

  private:
    std::size_t count_, width_;
    std::vector<float> from_, to_;
};

// The buffers of one computation; used again, they save the time to allocate them.
struct Marginals {
    std::vector<float> label;  // the probability of each label at each row; rows of `width`
    std::vector<float> step;   // expected number of steps from label to label; only if asked for
    double log_sum = 0;        // the logarithm of the sum over all labellings of exp(score)

    std::vector<float> own, forward, backward;
};

// `scores` has `rows` rows of `width` columns; those beyond the number of labels don't count.
void find_marginals(const Steps& steps, const float* scores, std::size_t rows, bool with_steps,
                    Marginals& marginals);

}  // namespace rowen::chain
