// The substrings of many texts, in classes: two strings are in one class when they start at the
// same places. There are fewer classes than twice the characters, and what a delimiter does
// depends on where it starts, so that a search over classes is a search over all substrings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace rowen::substrings {

// Suffixes in lexical order and how long a prefix each shares with the one before.
struct Order {
    std::vector<std::int32_t> starts;
    std::vector<std::int32_t> shared;
};

// Sorts the suffixes that start where `wanted` is not 0, in linear time (induced sorting). Texts
// are put one after the other, each closed by a code of its own, the last code included.
Order order(std::span<const std::uint32_t> codes, std::span<const std::uint8_t> wanted);

// Nodes of the suffix tree whose strings start at least once in every group of places.
struct Classes {
    std::vector<std::int32_t> from, until;         // their places: a range of the order
    std::vector<std::int32_t> shortest, longest;   // how long their strings are
    std::vector<std::int32_t> first;               // the first place in each group, row by row
    std::vector<std::int32_t> heaviest;            // the largest of each kind of weight, row by row
};

// `groups` has the group of each suffix of the order, or -1; `weights` has `kinds` rows. `ends` is
// where the text of each suffix ends.
Classes classes(std::span<const std::int32_t> starts, std::span<const std::int32_t> shared,
                std::span<const std::int32_t> ends, std::span<const std::int32_t> groups,
                std::size_t count, std::span<const std::int32_t> weights, std::size_t kinds);

// For each range of the order and each group: the first place at or after the group's limit, or
// the largest number where there is none.
std::vector<std::int32_t> first_after(std::span<const std::int32_t> starts,
                                      std::span<const std::int32_t> groups,
                                      std::span<const std::int32_t> from,
                                      std::span<const std::int32_t> until,
                                      std::span<const std::int32_t> limits);

// For each length n up to `longest`: where, in [begin, end), the last n codes of that region start
// for the last time before the place where they end it; -1 where they don't.
std::vector<std::int32_t> last_starts(std::span<const std::uint32_t> codes, std::size_t begin,
                                      std::size_t end, std::size_t longest);

}  // namespace rowen::substrings
