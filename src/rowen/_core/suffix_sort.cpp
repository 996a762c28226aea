#include "suffix_sort.hpp"

#include <algorithm>
#include <utility>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace rowen {
namespace {

using Ints = std::vector<std::int32_t>;

// A text whose letters carry their suffixes' type: small (S) suffixes come before their successors.
// Letter and type are in one number, for they are needed together and cost a way to memory.
template <typename Letter>
class Typed {
  public:
    explicit Typed(std::vector<Letter> text) : codes_(std::move(text)) {
        bool small_next = true;
        Letter next = 0;
        for (std::size_t i = codes_.size(); i-- > 0;) {
            const Letter letter = codes_[i];
            small_next = i + 1 == codes_.size() || letter < next || (letter == next && small_next);
            codes_[i] = static_cast<Letter>(2 * letter + (small_next ? 1 : 0));
            next = letter;
        }
    }

    std::int32_t size() const { return static_cast<std::int32_t>(codes_.size()); }
    Letter code(std::int32_t i) const { return codes_[i]; }
    std::int32_t letter(std::int32_t i) const { return codes_[i] >> 1; }
    bool small(std::int32_t i) const { return codes_[i] & 1; }
    bool leftmost(std::int32_t i) const { return i > 0 && small(i) && !small(i - 1); }
    void prefetch(std::int32_t i) const { __builtin_prefetch(codes_.data() + i); }

    // Where each letter's suffixes begin in the order, and behind the last letter its end.
    Ints buckets(std::int32_t letters) const {
        Ints sums(static_cast<std::size_t>(letters) + 1, 0);
        for (const Letter code : codes_) {
            ++sums[static_cast<std::size_t>(code >> 1) + 1];
        }
        for (std::size_t i = 1; i < sums.size(); ++i) {
            sums[i] += sums[i - 1];
        }
        return sums;
    }

  private:
    std::vector<Letter> codes_;
};

// Sorts all suffixes from the leftmost small ones in a given order: large ones from the left, small
// ones from the right. Gives the leftmost small ones, last first, in the order they have then.
template <typename Letter>
Ints induce(const Typed<Letter>& text, const Ints& buckets, const Ints& order, Ints& sorted) {
    const std::int32_t n = text.size();
    std::fill(sorted.begin(), sorted.end(), -1);
    Ints tails(buckets.begin() + 1, buckets.end());
    for (std::size_t i = order.size(); i-- > 0;) {
        if (i >= ahead) {
            text.prefetch(order[i - ahead]);
        }
        sorted[--tails[text.letter(order[i])]] = order[i];
    }
    // First the letter is asked for; when it is there, the place where its suffix will go.
    const auto prepare = [&](std::int32_t far, std::int32_t near, const Ints& places) {
        if (far >= 0 && far < n) {
            text.prefetch(std::max(sorted[far] - 1, 0));
        }
        if (near >= 0 && near < n && sorted[near] > 0) {
            __builtin_prefetch(sorted.data() + places[text.letter(sorted[near] - 1)], 1);
        }
    };
    Ints heads = buckets;
    for (std::int32_t i = 0; i < n; ++i) {
        prepare(i + ahead, i + ahead / 2, heads);
        const std::int32_t before = sorted[i] - 1;
        if (before >= 0 && !text.small(before)) {
            sorted[heads[text.letter(before)]++] = before;
        }
    }
    tails.assign(buckets.begin() + 1, buckets.end());
    Ints leftmost;
    leftmost.reserve(order.size());
    for (std::int32_t i = n - 1; i >= 0; --i) {
        prepare(i - ahead, i - ahead / 2, tails);
        const std::int32_t before = sorted[i] - 1;
        if (before < 0) {
            continue;
        }
        if (text.small(before)) {
            sorted[--tails[text.letter(before)]] = before;
        } else if (text.small(before + 1)) {
            leftmost.push_back(before + 1);
        }
    }
    return leftmost;
}

// Whether the same letters and types stand from two leftmost small places to the next ones.
template <typename Letter>
bool same_stretch(const Typed<Letter>& text, std::int32_t a, std::int32_t b) {
    for (std::int32_t d = 0;; ++d) {
        if (text.code(a + d) != text.code(b + d)) {
            return false;
        }
        if (d > 0 && (text.leftmost(a + d) || text.leftmost(b + d))) {
            return text.leftmost(a + d) && text.leftmost(b + d);
        }
    }
}

}  // namespace

std::vector<std::int32_t> scattered(std::size_t count, std::int32_t value) {
    Ints numbers;
    numbers.reserve(count);
#ifdef MADV_HUGEPAGE
    constexpr std::uintptr_t page = std::uintptr_t{1} << 21;
    const auto begin = (reinterpret_cast<std::uintptr_t>(numbers.data()) + page - 1) / page * page;
    const auto end = reinterpret_cast<std::uintptr_t>(numbers.data() + count) / page * page;
    if (begin < end) {
        madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);  // a wish: may fail
    }
#endif
    numbers.assign(count, value);
    return numbers;
}

template <typename Letter>
Ints sort_suffixes(std::vector<Letter> letters_of, std::int32_t letters) {
    const Typed<Letter> text(std::move(letters_of));
    const std::int32_t n = text.size();
    const Ints buckets = text.buckets(letters);
    Ints marks;
    for (std::int32_t i = 1; i < n; ++i) {
        if (text.leftmost(i)) {
            marks.push_back(i);
        }
    }
    Ints sorted = scattered(static_cast<std::size_t>(n), -1);
    if (n == 1) {
        sorted[0] = 0;
        return sorted;
    }
    // Stretches between leftmost small places are sorted now, and get names by their order. Two
    // such places are never neighbours.
    Ints last_first = induce(text, buckets, marks, sorted);
    Ints names = scattered(static_cast<std::size_t>(n) / 2 + 1, -1);
    std::int32_t name = -1;
    const auto count = static_cast<std::int32_t>(last_first.size());
    for (std::int32_t i = count - 1; i >= 0; --i) {
        if (i >= ahead) {
            text.prefetch(last_first[i - ahead]);
            __builtin_prefetch(&names[last_first[i - ahead] / 2], 1);
        }
        if (i == count - 1 || !same_stretch(text, last_first[i + 1], last_first[i])) {
            ++name;
        }
        names[last_first[i] / 2] = name;
    }
    Ints order = std::move(last_first);
    if (name + 1 < count) {
        Ints reduced;
        reduced.reserve(marks.size());
        for (const std::int32_t mark : marks) {
            reduced.push_back(names[mark / 2]);
        }
        names = {};
        order = sort_suffixes<std::int32_t>(std::move(reduced), name + 1);
        for (std::size_t i = 0; i < order.size(); ++i) {
            if (i + ahead < order.size()) {
                __builtin_prefetch(&marks[order[i + ahead]]);
            }
            order[i] = marks[order[i]];
        }
    } else {
        std::reverse(order.begin(), order.end());
    }
    induce(text, buckets, order, sorted);
    return sorted;
}

template Ints sort_suffixes<std::uint8_t>(std::vector<std::uint8_t>, std::int32_t);
template Ints sort_suffixes<std::uint16_t>(std::vector<std::uint16_t>, std::int32_t);
template Ints sort_suffixes<std::int32_t>(std::vector<std::int32_t>, std::int32_t);

}  // namespace rowen
