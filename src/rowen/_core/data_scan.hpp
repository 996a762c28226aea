// Trees of data with places: JSON, and the literals of scripts that are nearly JSON.
//
// A value is an object, an array, a string, a number, true or false, null or undefined, or
// something else: an expression of JavaScript, which is skipped. Beyond JSON there may be comments,
// keys without quotes, strings in single quotes or backticks, raw control characters in strings,
// commas too many, and places without a value in arrays. `!0` and `!1` are booleans.
//
//     {price: 12.5, tags: ['a', "b"],}        object  [0, 32)
//                                             number  [8, 12) of key [1, 6)    string [22, 23) ...
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rowen::data {

enum class Kind : std::uint8_t { object, array, string, number, boolean, nothing, other };

enum class Outcome : std::uint8_t { complete, malformed, too_deep, too_many };

constexpr std::uint8_t ESCAPED = 1;      // there is a backslash in the string
constexpr std::uint8_t KEY_ESCAPED = 2;  // and in the key

// In preorder: the subtree of node i is i .. afters[i] - 1. A string's bounds are inside its
// quotes. Keys have the bounds -1 in arrays and for the root; the parent of the root is -1.
struct Nodes {
    std::vector<std::uint8_t> kinds;
    std::vector<std::uint8_t> flags;
    std::vector<std::int32_t> starts;
    std::vector<std::int32_t> ends;
    std::vector<std::int32_t> key_starts;
    std::vector<std::int32_t> key_ends;
    std::vector<std::int32_t> parents;
    std::vector<std::int32_t> afters;
    std::int32_t stop = 0;  // where the value ends, or where the scan gave up
    Outcome outcome = Outcome::complete;
};

// The tree of the value that begins at `start`, in linear time. Of a text that is malformed before
// the value ends there are no nodes. `depth` bounds the nesting, `most` the number of nodes.
template <typename Char>
Nodes scan(const Char* text, std::size_t start, std::size_t end, std::size_t depth,
           std::size_t most);

}  // namespace rowen::data
