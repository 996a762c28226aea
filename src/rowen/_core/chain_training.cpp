#include "chain_training.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace rowen::chain {
namespace {

constexpr std::size_t lane = 8;
constexpr std::uint32_t none = 0xFFFFFFFF;
constexpr std::size_t kept_per_pass = 64;  // states that make up the mean of a pass

struct Pair {
    std::uint64_t key;
    std::uint32_t label;
    std::uint32_t count;
};

std::size_t place(const Pair& pair, std::size_t mask) {
    return (pair.key + pair.label * 0x9E3779B97F4A7C15u) & mask;
}

// Counts pairs of key and label: a hash table that doubles when it is half full.
class Counter {
  public:
    void add(std::uint64_t key, std::uint32_t label) {
        if (2 * (used_ + 1) > table_.size()) {
            grow();
        }
        used_ += insert(table_, {key, label, 1});
    }
    std::vector<Pair> at_least(std::uint32_t count) const {
        std::vector<Pair> pairs;
        for (const Pair& pair : table_) {
            if (pair.count > 0 && pair.count >= count) {
                pairs.push_back(pair);
            }
        }
        return pairs;
    }

  private:
    static bool insert(std::vector<Pair>& table, const Pair& pair) {
        const std::size_t mask = table.size() - 1;
        std::size_t at = place(pair, mask);
        while (table[at].count > 0 &&
               (table[at].key != pair.key || table[at].label != pair.label)) {
            at = (at + 1) & mask;
        }
        const bool fresh = table[at].count == 0;
        table[at] = {pair.key, pair.label, table[at].count + pair.count};
        return fresh;
    }
    void grow() {
        std::vector<Pair> larger(std::max<std::size_t>(1024, 2 * table_.size()), Pair{0, 0, 0});
        for (const Pair& pair : table_) {
            if (pair.count > 0) {
                insert(larger, pair);
            }
        }
        table_ = std::move(larger);
    }

    std::vector<Pair> table_;
    std::size_t used_ = 0;
};

}  // namespace

Trainer::Trainer(Templates templates, std::size_t label_count)
    : templates_(std::move(templates)),
      label_count_(label_count),
      width_((label_count + lane - 1) / lane * lane) {}

void Trainer::add(const Rows& rows, const std::uint8_t* labels) {
    gold_.insert(gold_.end(), labels, labels + rows.count);
    sequence_starts_.push_back(sequence_starts_.back() + rows.count);
    if (prepared_) {
        append_known(rows);
        return;
    }
    for (std::size_t row = 0; row < rows.count; ++row) {
        for (std::size_t t = 0; t < templates_.size(); ++t) {
            raw_keys_.push_back(templates_.key(rows, row, t));
        }
    }
}

void Trainer::append_known(const Rows& rows) {
    for (std::size_t row = 0; row < rows.count; ++row) {
        for (std::size_t t = 0; t < templates_.size(); ++t) {
            const std::uint32_t feature = feature_of(templates_.key(rows, row, t));
            if (feature != none) {
                features_.push_back(feature);
            }
        }
        row_starts_.push_back(features_.size());
    }
}

std::uint32_t Trainer::feature_of(std::uint64_t key) const {
    if (key == 0 || slots_.empty()) {
        return none;
    }
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = key & mask;
    while (slots_[slot].key != 0 && slots_[slot].key != key) {
        slot = (slot + 1) & mask;
    }
    return slots_[slot].key == key ? slots_[slot].feature : none;
}

void Trainer::prepare(std::uint32_t seen, const Weights* prior, float never) {
    prior_steps_.assign(label_count_ * width_, never);
    steps_.assign(label_count_ * width_, 0.0F);
    allowed_.assign(label_count_ * width_, 0.0F);
    std::vector<Pair> pairs;
    {
        Counter counter;
        const std::size_t columns = templates_.size();
        for (std::size_t row = 0; row < gold_.size(); ++row) {
            for (std::size_t t = 0; t < columns; ++t) {
                if (const std::uint64_t key = raw_keys_[row * columns + t]; key != 0) {
                    counter.add(key, gold_[row]);
                }
            }
        }
        pairs = counter.at_least(seen);
    }
    if (prior != nullptr) {
        for (std::size_t i = 0; i < prior->keys.size(); ++i) {
            for (std::uint32_t j = prior->starts[i]; j < prior->starts[i + 1]; ++j) {
                pairs.push_back({prior->keys[i], prior->labels[j], 1});
            }
        }
    }
    const auto before = [](const Pair& a, const Pair& b) {
        return a.key != b.key ? a.key < b.key : a.label < b.label;
    };
    const auto same = [](const Pair& a, const Pair& b) {
        return a.key == b.key && a.label == b.label;
    };
    std::sort(pairs.begin(), pairs.end(), before);
    pairs.erase(std::unique(pairs.begin(), pairs.end(), same), pairs.end());
    for (const Pair& pair : pairs) {
        if (keys_.empty() || keys_.back() != pair.key) {
            keys_.push_back(pair.key);
            starts_.push_back(static_cast<std::uint32_t>(labels_.size()));
        }
        labels_.push_back(static_cast<std::uint8_t>(pair.label));
    }
    starts_.push_back(static_cast<std::uint32_t>(labels_.size()));
    index(prior, never);
}

void Trainer::index(const Weights* prior, float never) {
    slots_.resize(std::bit_ceil(2 * keys_.size() + 1));
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t f = 0; f < keys_.size(); ++f) {
        std::size_t slot = keys_[f] & mask;
        while (slots_[slot].key != 0) {
            slot = (slot + 1) & mask;
        }
        slots_[slot] = {keys_[f], static_cast<std::uint32_t>(f)};
    }
    prior_.assign(labels_.size(), 0.0F);
    state_.assign(labels_.size(), 0.0F);
    if (prior != nullptr) {
        for (std::size_t i = 0; i < prior->keys.size(); ++i) {
            const std::uint32_t feature = feature_of(prior->keys[i]);
            for (std::uint32_t j = prior->starts[i]; feature != none && j < prior->starts[i + 1]; ++j) {
                const auto first = labels_.begin() + starts_[feature];
                const auto last = labels_.begin() + starts_[feature + 1];
                const auto at = std::lower_bound(first, last, prior->labels[j]);
                prior_[static_cast<std::size_t>(at - labels_.begin())] = prior->weights[j];
            }
        }
        for (std::size_t a = 0; a < label_count_; ++a) {
            std::copy_n(&prior->transitions[a * label_count_], label_count_,
                        &prior_steps_[a * width_]);
        }
    }
    for (std::size_t s = 0; s + 1 < sequence_starts_.size(); ++s) {
        for (std::size_t row = sequence_starts_[s] + 1; row < sequence_starts_[s + 1]; ++row) {
            const std::size_t at = gold_[row - 1] * width_ + gold_[row];
            if (prior_steps_[at] == never) {
                prior_steps_[at] = 0.0F;
            }
            allowed_[at] = 1.0F;
        }
    }
    const std::size_t columns = templates_.size();
    features_.reserve(raw_keys_.size());
    for (std::size_t row = 0; row < gold_.size(); ++row) {
        for (std::size_t t = 0; t < columns; ++t) {
            const std::uint32_t feature = feature_of(raw_keys_[row * columns + t]);
            if (feature != none) {
                features_.push_back(feature);
            }
        }
        row_starts_.push_back(features_.size());
    }
    raw_keys_ = {};
    mean_ = prior_;
    mean_steps_ = prior_steps_;
    prepared_ = true;
}

// The scores of all labels at the rows of a sequence, in `scores_`.
template <typename WeightAt>
void Trainer::score(std::size_t sequence, WeightAt weight_at) {
    const std::size_t first = sequence_starts_[sequence], last = sequence_starts_[sequence + 1];
    scores_.assign((last - first) * width_, 0.0F);
    for (std::size_t row = first; row < last; ++row) {
        float* const own = &scores_[(row - first) * width_];
        for (std::size_t i = row_starts_[row]; i < row_starts_[row + 1]; ++i) {
            const std::uint32_t feature = features_[i];
            for (std::uint32_t j = starts_[feature]; j < starts_[feature + 1]; ++j) {
                own[labels_[j]] += weight_at(j);
            }
        }
    }
}

void Trainer::step(std::size_t sequence, double rate) {
    const std::size_t first = sequence_starts_[sequence], last = sequence_starts_[sequence + 1];
    if (first == last) {
        return;
    }
    const auto scale = static_cast<float>(scale_);
    score(sequence, [&](std::uint32_t j) { return prior_[j] + scale * state_[j]; });
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        full_steps_[i] = prior_steps_[i] + scale * steps_[i];
    }
    const Steps steps(full_steps_.data(), label_count_, width_);
    find_marginals(steps, scores_.data(), last - first, true, marginals_);
    const auto factor = static_cast<float>(rate / scale_);
    for (std::size_t row = first; row < last; ++row) {
        float* const own = &marginals_.label[(row - first) * width_];
        own[gold_[row]] -= 1.0F;  // the gradient: what is expected less what is there
        for (std::size_t i = row_starts_[row]; i < row_starts_[row + 1]; ++i) {
            const std::uint32_t feature = features_[i];
            for (std::uint32_t j = starts_[feature]; j < starts_[feature + 1]; ++j) {
                state_[j] -= factor * own[labels_[j]];
            }
        }
        if (row > first) {
            marginals_.step[gold_[row - 1] * width_ + gold_[row]] -= 1.0F;
        }
    }
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        steps_[i] -= allowed_[i] * factor * marginals_.step[i];
    }
}

void Trainer::keep() {
    for (std::size_t j = 0; j < state_.size(); ++j) {
        sum_[j] += scale_ * static_cast<double>(state_[j]);
    }
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        sum_steps_[i] += scale_ * static_cast<double>(steps_[i]);
    }
    kept_ += 1;
}

void Trainer::pass(const std::vector<std::uint32_t>& order, double rate, double c2) {
    sum_.assign(state_.size(), 0.0);
    sum_steps_.assign(steps_.size(), 0.0);
    full_steps_.assign(steps_.size(), 0.0F);
    kept_ = 0;
    const double pull = 2 * c2 / static_cast<double>(std::max<std::size_t>(order.size(), 1));
    const std::size_t period = std::max<std::size_t>(1, order.size() / kept_per_pass);
    for (std::size_t i = 0; i < order.size(); ++i) {
        const double now = rate / (1 + pull * rate * taken_);
        scale_ *= 1 - now * pull;
        step(order[i], now);
        taken_ += 1;
        if (scale_ < 1e-3) {  // before the states lose their precision
            for (float& weight : state_) {
                weight *= static_cast<float>(scale_);
            }
            for (float& weight : steps_) {
                weight *= static_cast<float>(scale_);
            }
            scale_ = 1;
        }
        if ((i + 1) % period == 0) {
            keep();
        }
    }
    const double count = std::max(kept_, 1.0);
    for (std::size_t j = 0; j < mean_.size(); ++j) {
        mean_[j] = prior_[j] + static_cast<float>(sum_[j] / count);
    }
    for (std::size_t i = 0; i < mean_steps_.size(); ++i) {
        mean_steps_[i] = prior_steps_[i] + static_cast<float>(sum_steps_[i] / count);
    }
}

double Trainer::loss(std::size_t first, std::size_t last) {
    double sum = 0;
    const Steps steps(mean_steps_.data(), label_count_, width_);
    for (std::size_t s = first; s < last; ++s) {
        const std::size_t begin = sequence_starts_[s], end = sequence_starts_[s + 1];
        if (begin == end) {
            continue;
        }
        score(s, [&](std::uint32_t j) { return mean_[j]; });
        find_marginals(steps, scores_.data(), end - begin, false, marginals_);
        double own = 0;
        for (std::size_t row = begin; row < end; ++row) {
            own += static_cast<double>(scores_[(row - begin) * width_ + gold_[row]]);
            if (row > begin) {
                own += static_cast<double>(mean_steps_[gold_[row - 1] * width_ + gold_[row]]);
            }
        }
        sum += marginals_.log_sum - own;
    }
    return last > first ? sum / static_cast<double>(last - first) : 0;
}

Weights Trainer::weights() const {
    std::vector<float> steps;
    for (std::size_t a = 0; a < label_count_; ++a) {
        steps.insert(steps.end(), &mean_steps_[a * width_], &mean_steps_[a * width_] + label_count_);
    }
    return {keys_, starts_, labels_, mean_, std::move(steps), label_count_};
}

}  // namespace rowen::chain
