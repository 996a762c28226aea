// Quiet places of a text: where no attempt to match goes on over the next character.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace rowen::quiet {

inline constexpr std::size_t most_states = 256;

// A set of states.
class States {
  public:
    void set(std::size_t state) { words_[state / 64] |= std::uint64_t{1} << state % 64; }

    bool any() const { return (words_[0] | words_[1] | words_[2] | words_[3]) != 0; }

    States operator|(const States& others) const {
        States both = *this;
        for (std::size_t i = 0; i < words_.size(); ++i) {
            both.words_[i] |= others.words_[i];
        }
        return both;
    }

    bool operator==(const States&) const = default;

    template <typename Function>
    void each(Function function) const {
        for (std::size_t i = 0; i < words_.size(); ++i) {
            for (std::uint64_t left = words_[i]; left != 0; left &= left - 1) {
                function(64 * i + static_cast<std::size_t>(std::countr_zero(left)));
            }
        }
    }

    struct Hash {
        std::size_t operator()(const States& states) const {
            std::uint64_t hash = 0;
            for (const std::uint64_t word : states.words_) {
                hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
                hash ^= hash >> 32;
            }
            return hash;
        }
    };

  private:
    std::array<std::uint64_t, most_states / 64> words_{};
};

// An automaton whose steps are known by the kind of a character, made deterministic as far as texts
// need it.
class Walker {
  public:
    using Kind = std::uint8_t;
    using Node = std::int32_t;

    struct Step {
        Node node;
        bool crossed;  // whether an attempt goes on over the character
    };

    // `kinds` of characters up to the last one, which is that of all others; `onward` gives the
    // states that follow each state by a kind, and `begun` those in which attempts begin.
    Walker(std::vector<Kind> kinds, std::vector<std::vector<States>> onward,
           std::vector<States> begun, std::size_t most_nodes)
        : kinds_(std::move(kinds)),
          onward_(std::move(onward)),
          begun_(std::move(begun)),
          most_nodes_(most_nodes) {
        for (std::size_t state = 0; state < onward_.at(0).size(); ++state) {
            all_.set(state);
        }
    }

    const States& all() const { return all_; }

    Node node(const States& states) {
        const auto known = numbers_.find(states);
        if (known != numbers_.end()) {
            return known->second;
        }
        if (nodes_.size() >= most_nodes_) {
            nodes_.clear();
            steps_.clear();
            numbers_.clear();
        }
        const auto number = static_cast<Node>(nodes_.size());
        nodes_.push_back(states);
        steps_.resize(steps_.size() + begun_.size(), unknown);
        numbers_.emplace(states, number);
        return number;
    }

    const States& states(Node node) const { return nodes_[static_cast<std::size_t>(node)]; }

    template <typename Char>
    Step step(Node node, Char code) {
        const std::size_t last = kinds_.size() - 1;
        const Kind kind = kinds_[std::min<std::size_t>(code, last)];
        const std::int32_t known = steps_[static_cast<std::size_t>(node) * begun_.size() + kind];
        return known != unknown ? Step{known >> 1, (known & 1) != 0} : follow(node, kind);
    }

  private:
    static constexpr std::int32_t unknown = -1;

    Step follow(Node from, Kind kind) {
        const States before = states(from);
        States after;
        before.each([&](std::size_t state) { after = after | onward_[kind][state]; });
        const bool crossed = after.any();
        const Node to = node(after | begun_[kind]);
        // Making the node may have dropped all others.
        const auto again = numbers_.find(before);
        if (again != numbers_.end()) {
            steps_[static_cast<std::size_t>(again->second) * begun_.size() + kind] =
                to << 1 | static_cast<std::int32_t>(crossed);
        }
        return {to, crossed};
    }

    std::vector<Kind> kinds_;
    std::vector<std::vector<States>> onward_;
    std::vector<States> begun_;
    std::size_t most_nodes_;
    States all_;
    std::vector<States> nodes_;
    std::vector<std::int32_t> steps_;
    std::unordered_map<States, Node, States::Hash> numbers_;
};

// How far attempts look, and how far quiet places are searched.
struct Reach {
    std::int64_t behind, ahead, longest, window, searched;
};

// The attempts that are under way at places of one text.
template <typename Char>
class UnderWay {
  public:
    UnderWay(Walker& walker, const Char* text, const Reach& reach)
        : walker_(walker), text_(text), reach_(reach) {}

    // By a stretch before the place. With a bound for matches, it says all.
    States nearly(std::int64_t place) const {
        const bool bounded = reach_.longest <= reach_.searched;
        const std::int64_t begin =
            std::max<std::int64_t>(place - (bounded ? reach_.longest : reach_.window), 0);
        return walk(bounded || begin == 0 ? States() : walker_.all(), begin, place);
    }

    // By all of the text before the place, which is gone over once for all places.
    States exactly(std::int64_t place) {
        const auto mark = static_cast<std::size_t>(place / spacing);
        while (marks_.size() <= mark) {
            const auto done = static_cast<std::int64_t>(marks_.size() - 1) * spacing;
            marks_.push_back(walk(marks_.back(), done, done + spacing));
        }
        return walk(marks_[mark], static_cast<std::int64_t>(mark) * spacing, place);
    }

  private:
    static constexpr std::int64_t spacing = 1024;

    States walk(const States& states, std::int64_t begin, std::int64_t end) const {
        Walker::Node node = walker_.node(states);
        for (std::int64_t at = begin; at < end; ++at) {
            node = walker_.step(node, text_[at]).node;
        }
        return walker_.states(node);
    }

    Walker& walker_;
    const Char* text_;
    Reach reach_;
    std::vector<States> marks_{States()};  // every `spacing` characters
};

inline constexpr std::int64_t nowhere = -1;

// The first quiet place of a region, at least `behind` characters after its start.
template <typename Char>
std::int64_t first_quiet(Walker& walker, const Char* text, std::int64_t start, std::int64_t end,
                         const States& under_way, const Reach& reach) {
    const std::int64_t least = start + reach.behind;
    Walker::Node node = walker.node(under_way);
    std::int64_t since = start;
    end = std::min(end, least + reach.searched);
    for (std::int64_t at = start; at < end; ++at) {
        // Long repetitions count as endless. Here all that began before `since` has ended.
        if (at - since > 2 * reach.longest && (at - start) % reach.window == 0) {
            node = walker.node(UnderWay<Char>(walker, text, reach).nearly(at));
            since = at;
        }
        const Walker::Step step = walker.step(node, text[at]);
        if (!step.crossed && at >= least) {
            return at;
        }
        node = step.node;
    }
    return nowhere;
}

// The last quiet place from `start` on, which is one, and nothing is known before it.
template <typename Char>
std::int64_t last_quiet(Walker& walker, const Char* text, std::int64_t start, std::int64_t end,
                        const Reach& reach) {
    for (std::int64_t window = reach.window;; window *= 4) {
        const bool all = end - start <= 2 * window || window >= reach.searched;
        const std::int64_t begin = all ? start : end - window;
        // No attempt goes on over a quiet place. What began before the longest match has ended.
        std::int64_t at = begin;
        States states;
        if (!all && reach.longest <= reach.searched) {
            at = std::max(begin - reach.longest, start);
        } else if (!all) {
            states = walker.all();
        }
        Walker::Node node = walker.node(states);
        std::int64_t last = nowhere;
        for (; at < end; ++at) {
            const Walker::Step step = walker.step(node, text[at]);
            if (!step.crossed && at >= begin) {
                last = at;
            }
            node = step.node;
        }
        if (last != nowhere || all) {
            return last;
        }
    }
}

struct Region {
    std::int64_t start, old_start, length;
};

struct Copies {
    std::vector<std::int64_t> rows;      // start and end on the old page, shift
    std::vector<std::int64_t> removals;  // start and end on the new page
};

// What scans of both pages have in common: from the first to the last quiet place of each old
// region. Regions are in the order of their starts.
template <typename New, typename Old>
Copies copies(Walker& walker, const New* text, std::int64_t size, const Old* old,
              std::int64_t old_size, const Region* regions, std::size_t count, const Reach& reach) {
    Copies found;
    UnderWay<New> here(walker, text, reach);
    UnderWay<Old> there(walker, old, reach);
    std::int64_t removed = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const auto& [start, old_start, length] = regions[i];
        const std::int64_t end = start + length;
        if (end <= removed) {
            continue;  // what is inside another region has been copied with it
        }
        const bool at_start = start == 0 && old_start == 0;
        const bool at_end = end == size && old_start + length == old_size;
        const std::int64_t most = end - reach.ahead;
        std::int64_t first = 0;
        if (!at_start) {
            // The attempts that are under way differ: the text before the region does.
            first = first_quiet(walker, text, start, most,
                                here.nearly(start) | there.nearly(old_start), reach);
            // Where little is known of what is before, attempts may seem to go on without end.
            if (reach.longest > reach.searched &&
                (first == nowhere || first - start > reach.behind + reach.window)) {
                first = first_quiet(walker, text, start, most,
                                    here.exactly(start) | there.exactly(old_start), reach);
            }
        }
        if (first == nowhere) {
            continue;
        }
        const std::int64_t last =
            at_end ? size : last_quiet(walker, text, first, std::max(first, most), reach);
        if (last == nowhere || last <= first) {
            continue;
        }
        const std::int64_t shift = start - old_start;
        found.rows.insert(found.rows.end(), {first - shift, last - shift, shift});
        // Regions overlap, and each is sound by itself: what the last one has removed stays removed.
        found.removals.insert(found.removals.end(),
                              {std::max(first, removed), std::max(last, removed)});
        removed = std::max(last, removed);
    }
    return found;
}

}  // namespace rowen::quiet
