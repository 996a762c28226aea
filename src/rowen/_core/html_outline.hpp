// The outline of a page: its tags and the text between them as numbers that compare quickly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "html_tokens.hpp"

namespace rowen::html {

// Columns. Tag 0 stands for the start of the page; then come all tags and comments, in order.
// Slot i is the text between tag i and the next one.
struct Outline {
    std::vector<std::uint64_t> names;   // digest of "<name" or "</name"; one for all comments
    std::vector<std::int32_t> starts;   // where the tag starts
    std::vector<std::int32_t> ends;     // where it ends, and its slot starts
    std::vector<std::int32_t> slot_starts;  // the slot without white space around it
    std::vector<std::int32_t> slot_ends;
    std::vector<std::int32_t> parents;  // the tag of the element around it; the page itself is 0
    std::vector<std::int32_t> closes;   // the tag at which the element of a start tag has ended
    std::vector<std::int32_t> attributes_from;  // n + 1 of them
    std::vector<std::int32_t> attributes;       // four for each, as tokens have them
};

// Digests of equal things are equal; that of an empty text is 0. White space in slots and values
// counts as one space, at their edges as none.
struct Digests {
    std::vector<std::uint64_t> slots;
    std::vector<std::uint64_t> attribute_names;
    std::vector<std::uint64_t> attribute_values;  // 0 also where there is no value
};

template <typename Char>
Outline outline(const Char* text, std::size_t length);

// Of all that an outline has: learning compares much, extraction so little that it needs no columns.
template <typename Char>
Digests digests(const Char* text, const Outline& outline);

constexpr bool is_space(std::uint32_t code) {
    return code == ' ' || (code >= '\t' && code <= '\r') || code == 0xA0;
}

// The digest of a tag's or an attribute's name, whatever its case.
template <typename Char>
std::uint64_t name_digest(const Char* text, std::size_t length);

// The digest of a slot's text or an attribute's value.
template <typename Char>
std::uint64_t text_digest(const Char* text, std::size_t length);

}  // namespace rowen::html
