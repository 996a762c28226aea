// ST: matching statistics from one suffix array over both pages.
#include <algorithm>
#include <span>
#include <utility>

#include "match.hpp"
#include "suffix_sort.hpp"

namespace rowen::match {
namespace {

using Ints = std::vector<std::int32_t>;

// For each place of the new page: the old suffixes before and after it in the order, or -1.
struct Neighbours {
    Ints before, after;
};

// `codes` has the letter of each character, from 2 on; 0 and 1 close the pages.
template <typename Letter, typename Char>
Neighbours neighbours(Text<Char> old_text, Text<Char> new_text, const Ints& codes,
                      std::int32_t letters) {
    std::vector<Letter> text;
    text.reserve(old_text.size + new_text.size + 2);
    for (std::size_t i = 0; i < old_text.size; ++i) {
        text.push_back(static_cast<Letter>(codes[old_text.data[i]]));
    }
    text.push_back(1);
    for (std::size_t i = 0; i < new_text.size; ++i) {
        text.push_back(static_cast<Letter>(codes[new_text.data[i]]));
    }
    text.push_back(0);
    const Ints sorted = sort_suffixes<Letter>(std::move(text), letters);
    const auto boundary = static_cast<std::int32_t>(old_text.size);
    const auto count = static_cast<std::int32_t>(sorted.size());
    // Both texts' suffixes are in one order; for a new one the nearest old ones are noted.
    const auto note = [&](Ints& nearest, std::int32_t i, std::int32_t soon, std::int32_t last) {
        if (soon >= 0 && soon < count && sorted[soon] > boundary) {
            __builtin_prefetch(&nearest[sorted[soon] - boundary - 1], 1);
        }
        if (sorted[i] > boundary) {
            nearest[sorted[i] - boundary - 1] = last;
        }
        return sorted[i] < boundary ? sorted[i] : last;
    };
    Neighbours found{scattered(new_text.size + 1, -1), scattered(new_text.size + 1, -1)};
    std::int32_t last = -1;
    for (std::int32_t i = 0; i < count; ++i) {
        last = note(found.before, i, i + ahead, last);
    }
    last = -1;
    for (std::int32_t i = count - 1; i >= 0; --i) {
        last = note(found.after, i, i - ahead, last);
    }
    return found;
}

template <typename Char>
Neighbours neighbours(Text<Char> old_text, Text<Char> new_text) {
    Char largest = 0;
    for (const Text<Char>& text : {old_text, new_text}) {
        for (std::size_t i = 0; i < text.size; ++i) {
            largest = std::max(largest, text.data[i]);
        }
    }
    Ints codes(static_cast<std::size_t>(largest) + 1, 0);
    for (const Text<Char>& text : {old_text, new_text}) {
        for (std::size_t i = 0; i < text.size; ++i) {
            codes[text.data[i]] = 1;
        }
    }
    std::int32_t letters = 2;
    for (std::int32_t& code : codes) {
        code = code ? letters++ : 0;
    }
    if (letters <= 0x80) {
        return neighbours<std::uint8_t>(old_text, new_text, codes, letters);
    }
    if (letters <= 0x8000) {
        return neighbours<std::uint16_t>(old_text, new_text, codes, letters);
    }
    return neighbours<std::int32_t>(old_text, new_text, codes, letters);
}

}  // namespace

template <typename Char>
Regions suffix(Text<Char> old_text, Text<Char> new_text, std::size_t least) {
    Regions found = edges(old_text, new_text, least);
    const Neighbours near = neighbours(old_text, new_text);
    const auto old_size = static_cast<std::int32_t>(old_text.size);
    const auto new_size = static_cast<std::int32_t>(new_text.size);
    // A place shares at least one less with its neighbour than the place before it did with its own
    // (Kasai's rule), so that no character is compared twice on either side.
    const auto extend = [&](std::int32_t at, std::int32_t other, std::int32_t length) {
        if (other < 0) {
            return 0;
        }
        const std::int32_t limit = std::min(new_size - at, old_size - other);
        while (length < limit && new_text.data[at + length] == old_text.data[other + length]) {
            ++length;
        }
        return length;
    };
    std::int32_t below = 0;
    std::int32_t above = 0;
    std::int32_t previous = -1;
    for (std::int32_t at = 0; at < new_size; ++at) {
        if (at + ahead < new_size) {
            __builtin_prefetch(old_text.data + std::max(near.before[at + ahead], 0) + below);
            __builtin_prefetch(old_text.data + std::max(near.after[at + ahead], 0) + above);
        }
        below = extend(at, near.before[at], std::max(below - 1, 0));
        above = extend(at, near.after[at], std::max(above - 1, 0));
        const std::int32_t length = std::max(below, above);
        if (length > 0 && length >= static_cast<std::int64_t>(least) && previous <= length) {
            found.push_back({at, below > above ? near.before[at] : near.after[at], length});
        }
        previous = length;
    }
    prune(found);
    return found;
}

template Regions suffix<std::uint8_t>(Text<std::uint8_t>, Text<std::uint8_t>, std::size_t);
template Regions suffix<std::uint16_t>(Text<std::uint16_t>, Text<std::uint16_t>, std::size_t);
template Regions suffix<std::uint32_t>(Text<std::uint32_t>, Text<std::uint32_t>, std::size_t);

}  // namespace rowen::match
