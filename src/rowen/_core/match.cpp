#include "match.hpp"

#include <algorithm>
#include <cstring>

namespace rowen::match {
namespace {

// Bytes that are compared at once.
constexpr std::size_t block = 32;

bool same_block(const void* a, const void* b) {
    std::uint64_t x[block / 8];
    std::uint64_t y[block / 8];
    std::memcpy(x, a, block);
    std::memcpy(y, b, block);
    return (((x[0] ^ y[0]) | (x[1] ^ y[1])) | ((x[2] ^ y[2]) | (x[3] ^ y[3]))) == 0;
}

}  // namespace

template <typename Char>
std::size_t common_prefix(const Char* a, const Char* b, std::size_t limit) {
    constexpr std::size_t step = block / sizeof(Char);
    std::size_t length = 0;
    while (length + step <= limit && same_block(a + length, b + length)) {
        length += step;
    }
    while (length < limit && a[length] == b[length]) {
        ++length;
    }
    return length;
}

template <typename Char>
std::size_t common_suffix(const Char* a_end, const Char* b_end, std::size_t limit) {
    constexpr std::size_t step = block / sizeof(Char);
    std::size_t length = 0;
    while (length + step <= limit && same_block(a_end - length - step, b_end - length - step)) {
        length += step;
    }
    while (length < limit && *(a_end - length - 1) == *(b_end - length - 1)) {
        ++length;
    }
    return length;
}

template <typename Char>
Regions edges(Text<Char> old_text, Text<Char> new_text, std::size_t least) {
    const std::size_t limit = std::min(old_text.size, new_text.size);
    Regions found;
    const auto add = [&](std::size_t new_start, std::size_t old_start, std::size_t length) {
        if (length >= least && length > 0) {
            found.push_back({static_cast<std::int64_t>(new_start),
                             static_cast<std::int64_t>(old_start),
                             static_cast<std::int64_t>(length)});
        }
    };
    const std::size_t head = common_prefix(old_text.data, new_text.data, limit);
    add(0, 0, head);
    const std::size_t tail = common_suffix(old_text.data + old_text.size,
                                           new_text.data + new_text.size, limit);
    add(new_text.size - tail, old_text.size - tail, tail);
    return found;
}

void prune(Regions& regions) {
    std::stable_sort(regions.begin(), regions.end(), [](const Region& a, const Region& b) {
        return a.new_start != b.new_start ? a.new_start < b.new_start : a.length > b.length;
    });
    std::int64_t end = -1;
    std::erase_if(regions, [&](const Region& region) {
        const std::int64_t own = region.new_start + region.length;
        const bool inside = own <= end;
        end = std::max(end, own);
        return inside;
    });
}

#define ROWEN_FOR(Char)                                                                 \
    template std::size_t common_prefix<Char>(const Char*, const Char*, std::size_t);    \
    template std::size_t common_suffix<Char>(const Char*, const Char*, std::size_t);    \
    template Regions edges<Char>(Text<Char>, Text<Char>, std::size_t);
ROWEN_FOR(std::uint8_t)
ROWEN_FOR(std::uint16_t)
ROWEN_FOR(std::uint32_t)
#undef ROWEN_FOR

}  // namespace rowen::match
