// Labels for a sequence of rows: decoding of a linear-chain conditional random field (CRF, Lafferty
// et al. 2001) whose weights were trained elsewhere.
//
//   score(labels) = sum over rows of the weights of the row's features for its label
//                 + sum over neighbouring rows of the transition weight from label to label
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "marginals.hpp"

namespace rowen::chain {

// A row has a number for the value of each feature; 0 stands for no value.
struct Rows {
    const std::uint64_t* data;
    std::size_t count, columns;
};

// One value of the row that is `offset` rows further on.
struct Part {
    std::uint32_t column;
    std::int32_t offset;
};

// Each template combines values of near rows into one feature of a row.
class Templates {
  public:
    explicit Templates(std::vector<std::vector<Part>> templates);

    std::size_t size() const { return templates_.size(); }
    std::size_t columns() const { return columns_; }
    // The key of a row's feature by template `index`; 0 where one of its values is missing.
    std::uint64_t key(const Rows& rows, std::size_t row, std::size_t index) const;

  private:
    std::vector<std::vector<Part>> templates_;
    std::size_t columns_ = 0;
};

// The weights of features: key i has weights[starts[i]..starts[i + 1]) for the labels there.
struct Weights {
    std::vector<std::uint64_t> keys;
    std::vector<std::uint32_t> starts;
    std::vector<std::uint8_t> labels;
    std::vector<float> weights;
    std::vector<float> transitions;  // from label, to label
    std::size_t label_count;
};

// Labels, and how probable each is.
struct Labelling {
    std::vector<std::uint8_t> labels;
    std::vector<float> probabilities;
};

class LinearChainCRF {
  public:
    LinearChainCRF(Templates templates, Weights weights);

    const Templates& templates() const { return templates_; }
    std::size_t label_count() const { return label_count_; }
    // The labels with the highest score (Viterbi).
    std::vector<std::uint8_t> label(const Rows& rows) const;
    // The same labels; and for each row how probable it is that its label is in the same group as
    // the one chosen (forward-backward). `groups` has one number per label.
    Labelling label_surely(const Rows& rows, const std::uint8_t* groups) const;

  private:
    // Where the weights of a key are; one place in memory holds it all.
    struct Slot {
        std::uint64_t key = 0;
        std::uint32_t start = 0;  // in `weights_`, or in `dense_` where `count` is `all`
        std::uint32_t count = 0;
    };
    struct Weight {
        std::uint32_t label;
        float weight;
    };
    static constexpr std::uint32_t all = 0xFFFFFFFF;

    Slot stored(std::uint64_t key, const Weights& weights, std::size_t index);
    std::vector<float> states(const Rows& rows) const;
    std::vector<std::uint8_t> best_path(std::vector<float> scores, std::size_t rows) const;
    const Slot& slot_of(std::uint64_t key) const;

    Templates templates_;
    std::size_t label_count_;
    std::size_t width_;  // of a row of scores: one per label, padded to whole vector lanes
    std::vector<Weight> weights_;
    std::vector<float> dense_;  // rows of `width_`, for keys with weights for many labels
    std::vector<float> transitions_;  // likewise, one row per label
    Steps steps_;
    std::vector<Slot> slots_;  // a hash table; a key of 0 is an empty slot
};

}  // namespace rowen::chain
