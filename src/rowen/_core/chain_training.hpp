// Weights of a linear-chain CRF from labelled sequences, by stochastic gradients with averaging.
//
// What is minimised is
//     sum over sequences of -log P(labels | rows)  +  c2 * |weights - prior|^2
// where the prior is 0, or the weights of a model that is adapted to other data. It is convex. Each
// step follows the gradient of one sequence (Bottou's schedule), and the result is the mean of the
// weights during the last pass (Polyak and Juditsky 1992): single steps are noise, their mean is
// not, so that the order of sequences hardly matters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "chain.hpp"
#include "marginals.hpp"

namespace rowen::chain {

class Trainer {
  public:
    Trainer(Templates templates, std::size_t label_count);

    const Templates& templates() const { return templates_; }
    std::size_t label_count() const { return label_count_; }
    std::size_t size() const { return sequence_starts_.size() - 1; }
    bool prepared() const { return prepared_; }

    // A labelled sequence. Those added before `prepare` decide which features there are; those
    // added later only use them.
    void add(const Rows& rows, const std::uint8_t* labels);
    // Choose the weights: pairs of key and label that occur at least `seen` times, and those of the
    // prior. Steps between labels that nothing shows keep the weight `never`.
    void prepare(std::uint32_t seen, const Weights* prior, float never);
    // One step for each sequence in `order`.
    void pass(const std::vector<std::uint32_t>& order, double rate, double c2);
    // The mean of -log P over sequences [first, last), by the mean weights of the last pass.
    double loss(std::size_t first, std::size_t last);
    // The mean weights of the last pass.
    Weights weights() const;

  private:
    struct Slot {
        std::uint64_t key = 0;
        std::uint32_t feature = 0;
    };

    void append_known(const Rows& rows);
    std::uint32_t feature_of(std::uint64_t key) const;
    void index(const Weights* prior, float never);
    template <typename WeightAt>
    void score(std::size_t sequence, WeightAt weight_at);
    void step(std::size_t sequence, double rate);
    void keep();

    Templates templates_;
    std::size_t label_count_, width_;
    bool prepared_ = false;
    // Sequence i has the rows [sequence_starts_[i], sequence_starts_[i + 1]), row r the features
    // [row_starts_[r], row_starts_[r + 1]).
    std::vector<std::size_t> sequence_starts_{0}, row_starts_{0};
    std::vector<std::uint8_t> gold_;
    std::vector<std::uint64_t> raw_keys_;  // until `prepare`
    std::vector<std::uint32_t> features_;
    // Feature f has the weights [starts_[f], starts_[f + 1]) for the labels there.
    std::vector<std::uint64_t> keys_;
    std::vector<std::uint32_t> starts_;
    std::vector<std::uint8_t> labels_;
    std::vector<Slot> slots_;
    // A weight is prior + scale_ * state: so the pull towards the prior is one multiplication.
    std::vector<float> prior_, state_, prior_steps_, steps_, allowed_;
    std::vector<double> sum_, sum_steps_;  // over the kept states of this pass
    std::vector<float> mean_, mean_steps_;
    double scale_ = 1, kept_ = 0, taken_ = 0;
    std::vector<float> scores_, full_steps_;
    Marginals marginals_;
};

}  // namespace rowen::chain
