// The suffixes of a text in lexical order, in linear time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace rowen {

// How far ahead memory is asked for where the order jumps about: long texts don't fit the caches.
inline constexpr std::int32_t ahead = 16;

// The suffix array by induced sorting (Nong, Zhang and Chan). Letters are less than `letters`; the
// text ends with its only 0. There are versions for std::uint8_t, std::uint16_t and std::int32_t.
template <typename Letter>
std::vector<std::int32_t> sort_suffixes(std::span<const Letter> text, std::int32_t letters);

}  // namespace rowen
