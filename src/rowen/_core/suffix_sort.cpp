#include "suffix_sort.hpp"

#include <cstddef>

namespace rowen {
namespace {

using Ints = std::vector<std::int32_t>;
using Marks = std::vector<std::uint8_t>;

// Where each letter's suffixes begin or end in the order.
template <typename Letter>
Ints buckets(std::span<const Letter> text, std::int32_t letters, bool ends) {
    Ints sums(static_cast<std::size_t>(letters) + 1, 0);
    for (const Letter letter : text) {
        ++sums[static_cast<std::size_t>(letter) + 1];
    }
    for (std::size_t i = 1; i < sums.size(); ++i) {
        sums[i] += sums[i - 1];
    }
    if (ends) {
        sums.erase(sums.begin());
    } else {
        sums.pop_back();
    }
    return sums;
}

// Sorts all suffixes from some that are sorted: those of type L from the left, S from the right.
template <typename Letter>
void induce(std::span<const Letter> text, std::int32_t letters, const Marks& small, Ints& sorted) {
    const auto n = static_cast<std::int32_t>(text.size());
    const auto prepare = [&](std::int32_t i) {
        if (i >= 0 && i < n && sorted[i] > 0) {
            __builtin_prefetch(&text[sorted[i] - 1]);
            __builtin_prefetch(&small[sorted[i] - 1]);
        }
    };
    Ints heads = buckets(text, letters, false);
    for (std::int32_t i = 0; i < n; ++i) {
        prepare(i + ahead);
        const std::int32_t before = sorted[i] - 1;
        if (before >= 0 && !small[before]) {
            sorted[heads[text[before]]++] = before;
        }
    }
    Ints tails = buckets(text, letters, true);
    for (std::int32_t i = n - 1; i >= 0; --i) {
        prepare(i - ahead);
        const std::int32_t before = sorted[i] - 1;
        if (before >= 0 && small[before]) {
            sorted[--tails[text[before]]] = before;
        }
    }
}

}  // namespace

template <typename Letter>
Ints sort_suffixes(std::span<const Letter> text, std::int32_t letters) {
    const auto n = static_cast<std::int32_t>(text.size());
    Ints sorted(text.size(), -1);
    if (n == 1) {
        sorted[0] = 0;
        return sorted;
    }
    Marks small(text.size(), 0);
    small[n - 1] = 1;
    for (std::int32_t i = n - 2; i >= 0; --i) {
        small[i] = text[i] < text[i + 1] || (text[i] == text[i + 1] && small[i + 1]) ? 1 : 0;
    }
    const auto leftmost = [&](std::int32_t i) { return i > 0 && small[i] && !small[i - 1]; };
    Ints marks;
    for (std::int32_t i = 1; i < n; ++i) {
        if (leftmost(i)) {
            marks.push_back(i);
        }
    }
    const auto place = [&](const Ints& order) {
        std::fill(sorted.begin(), sorted.end(), -1);
        Ints tails = buckets(text, letters, true);
        for (auto mark = order.rbegin(); mark != order.rend(); ++mark) {
            sorted[--tails[text[*mark]]] = *mark;
        }
        induce(text, letters, small, sorted);
    };
    place(marks);

    Ints names(text.size(), -1);
    std::int32_t name = -1;
    std::int32_t before = -1;
    const auto same = [&](std::int32_t a, std::int32_t b) {
        for (std::int32_t d = 0;; ++d) {
            if (text[a + d] != text[b + d] || small[a + d] != small[b + d]) {
                return false;
            }
            if (d > 0 && (leftmost(a + d) || leftmost(b + d))) {
                return leftmost(a + d) && leftmost(b + d);
            }
        }
    };
    for (const std::int32_t at : sorted) {
        if (!leftmost(at)) {
            continue;
        }
        if (before < 0 || !same(before, at)) {
            ++name;
        }
        names[at] = name;
        before = at;
    }
    Ints reduced;
    reduced.reserve(marks.size());
    for (const std::int32_t mark : marks) {
        reduced.push_back(names[mark]);
    }
    Ints order(marks.size());
    if (name + 1 < static_cast<std::int32_t>(marks.size())) {
        const Ints inner = sort_suffixes<std::int32_t>(reduced, name + 1);
        for (std::size_t i = 0; i < inner.size(); ++i) {
            order[i] = marks[inner[i]];
        }
    } else {
        for (std::size_t i = 0; i < marks.size(); ++i) {
            order[reduced[i]] = marks[i];
        }
    }
    place(order);
    return sorted;
}

template Ints sort_suffixes<std::uint8_t>(std::span<const std::uint8_t>, std::int32_t);
template Ints sort_suffixes<std::uint16_t>(std::span<const std::uint16_t>, std::int32_t);
template Ints sort_suffixes<std::int32_t>(std::span<const std::int32_t>, std::int32_t);

}  // namespace rowen
