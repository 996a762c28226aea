// The suffixes of a text in lexical order, in linear time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rowen {

// How far ahead memory is asked for where the order jumps about: long texts don't fit the caches.
inline constexpr std::int32_t ahead = 64;

// Numbers that are read and written all over the place: in large pages where the system has them,
// for else finding the memory takes longer than using it.
std::vector<std::int32_t> scattered(std::size_t count, std::int32_t value);

// The suffix array by induced sorting (Nong, Zhang and Chan). The text ends with its only 0; its
// letters are less than `letters`, twice which a Letter must hold. There are versions for
// std::uint8_t, std::uint16_t and std::int32_t.
template <typename Letter>
std::vector<std::int32_t> sort_suffixes(std::vector<Letter> text, std::int32_t letters);

}  // namespace rowen
