// Labels for a sequence of rows: a linear chain whose weights were learned elsewhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rowen::chain {

// A row has a number for each of its attributes; 0 stands for none.
struct Rows {
    const std::uint64_t* data;
    std::size_t count, columns;
};

// One attribute of the row that stands `offset` rows further on.
struct Part {
    std::uint32_t column;
    std::int32_t offset;
};

// Each template is a set of attributes that together are one feature of a row.
class Templates {
  public:
    explicit Templates(std::vector<std::vector<Part>> templates);

    std::size_t size() const { return templates_.size(); }
    std::size_t columns() const { return columns_; }
    // The key of a row's feature by template `index`; 0 where one of its attributes is none.
    std::uint64_t key(const Rows& rows, std::size_t row, std::size_t index) const;

  private:
    std::vector<std::vector<Part>> templates_;
    std::size_t columns_ = 0;
};

// What features say for labels: key i has weights[starts[i]..starts[i + 1]) for those labels.
struct Weights {
    std::vector<std::uint64_t> keys;
    std::vector<std::uint32_t> starts;
    std::vector<std::uint8_t> labels;
    std::vector<float> weights;
    std::vector<float> transitions;  // from label, to label
    std::size_t label_count;
};

class Chain {
  public:
    Chain(Templates templates, Weights weights);

    const Templates& templates() const { return templates_; }
    // The likeliest labels (Viterbi).
    std::vector<std::uint8_t> label(const Rows& rows) const;

  private:
    // Where the weights of a key are; one place in memory tells it.
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
    const Slot& slot_of(std::uint64_t key) const;

    Templates templates_;
    std::size_t label_count_;
    std::size_t width_;  // of a row of scores: a number for each label, and then some of no use
    std::vector<Weight> weights_;
    std::vector<float> dense_;  // rows of `width_`, for keys that tell of many labels
    std::vector<float> transitions_;  // likewise, a row a label
    std::vector<Slot> slots_;  // a hash table; a key of 0 is an empty slot
};

}  // namespace rowen::chain
