// Old regions of a new page: text of it that stands in the old page, too (the paper's section 5).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace rowen::match {

template <typename Char>
struct Text {
    const Char* data;
    std::size_t size;
};

struct Region {
    std::int64_t new_start, old_start, length;
};

using Regions = std::vector<Region>;

// How many characters agree from two places on, and up to two places, at most `limit`.
template <typename Char>
std::size_t common_prefix(const Char* a, const Char* b, std::size_t limit);
template <typename Char>
std::size_t common_suffix(const Char* a_end, const Char* b_end, std::size_t limit);

// The regions that begin both pages and end both, where they have at least `least` characters.
template <typename Char>
Regions edges(Text<Char> old_text, Text<Char> new_text, std::size_t least);

// Sorts by place in the new page and drops what lies inside another region there; of several with
// the same place the first stays. Starts and ends then both rise.
void prune(Regions& regions);

// ST: all regions of at least `least` characters that are not part of a longer one, each once.
template <typename Char>
Regions suffix(Text<Char> old_text, Text<Char> new_text, std::size_t least);

// The same regions as `suffix`, where `least` is at least `shortest_anchor`. Nothing where repetitive
// text makes this more work than sorting suffixes.
inline constexpr std::size_t shortest_anchor = 12;
template <typename Char>
std::optional<Regions> anchor(Text<Char> old_text, Text<Char> new_text, std::size_t least);

// UD: the lines of a shortest edit script, or nearly so where pages differ much, as regions that
// are extended by characters to both sides.
template <typename Char>
Regions line(Text<Char> old_text, Text<Char> new_text, std::size_t least);

}  // namespace rowen::match
