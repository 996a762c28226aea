#include "substrings.hpp"

#include <algorithm>
#include <limits>

#include "suffix_sort.hpp"

namespace rowen::substrings {
namespace {

using Ints = std::vector<std::int32_t>;

constexpr std::int32_t never = std::numeric_limits<std::int32_t>::max();

// The codes as letters 1.. in the same order, with a 0 at the end.
Ints letters_of(std::span<const std::uint32_t> codes, std::int32_t& letters) {
    std::uint32_t largest = 0;
    for (const std::uint32_t code : codes) {
        largest = std::max(largest, code);
    }
    Ints names(static_cast<std::size_t>(largest) + 1, 0);
    for (const std::uint32_t code : codes) {
        names[code] = 1;
    }
    letters = 1;
    for (std::int32_t& name : names) {
        name = name ? letters++ : 0;
    }
    Ints text;
    text.reserve(codes.size() + 1);
    for (const std::uint32_t code : codes) {
        text.push_back(names[code]);
    }
    text.push_back(0);
    return text;
}

struct Child {
    std::int32_t from, until;
    std::size_t row;
};

struct Open {
    std::int32_t length;
    std::int32_t from;
    std::vector<Child> children;
};

}  // namespace

Order order(std::span<const std::uint32_t> codes, std::span<const std::uint8_t> wanted) {
    std::int32_t letters = 0;
    const Ints text = letters_of(codes, letters);
    const Ints sorted = sort_suffixes<std::int32_t>(text, letters);
    const auto n = static_cast<std::int32_t>(text.size());
    // Kasai's rule: a suffix shares at least one less with its neighbour than the one before it.
    Ints previous(text.size(), -1);
    for (std::int32_t i = 1; i < n; ++i) {
        previous[sorted[i]] = sorted[i - 1];
    }
    Ints& shared = previous;  // each is read once before it is overwritten
    std::int32_t length = 0;
    for (std::int32_t at = 0; at < n; ++at) {
        if (at + ahead < n && previous[at + ahead] >= 0) {
            __builtin_prefetch(text.data() + std::min(previous[at + ahead] + length, n - 1));
        }
        const std::int32_t other = previous[at];
        if (other < 0) {
            length = 0;
            shared[at] = 0;
            continue;
        }
        while (text[at + length] == text[other + length]) {
            ++length;
        }
        shared[at] = length;
        length = std::max(0, length - 1);
    }
    Order result;
    std::int32_t least = 0;
    for (std::int32_t i = 1; i < n; ++i) {
        const std::int32_t at = sorted[i];
        least = std::min(least, shared[at]);
        if (wanted[at]) {
            result.starts.push_back(at);
            result.shared.push_back(least);
            least = never;
        }
    }
    return result;
}

Classes classes(std::span<const std::int32_t> starts, std::span<const std::int32_t> shared,
                std::span<const std::int32_t> ends, std::span<const std::int32_t> groups,
                std::size_t count, std::span<const std::int32_t> weights, std::size_t kinds) {
    Classes found;
    if (count > starts.size()) {
        return found;  // no string can start in every group
    }
    const auto n = static_cast<std::int32_t>(starts.size());
    // The shortest range that ends here and has every group begins at cover[i], or it has none.
    Ints cover(starts.size(), -1);
    Ints seen(count, 0);
    std::size_t missing = count;
    std::int32_t low = 0;
    for (std::int32_t i = 0; i < n; ++i) {
        if (groups[i] >= 0 && seen[groups[i]]++ == 0) {
            --missing;
        }
        while (missing == 0 && (groups[low] < 0 || seen[groups[low]] > 1)) {
            if (groups[low] >= 0) {
                --seen[groups[low]];
            }
            ++low;
        }
        cover[i] = missing == 0 ? low : -1;
    }
    const auto add = [&](std::int32_t from, std::int32_t until, std::int32_t shortest,
                         std::int32_t longest, const std::vector<Child>& children) {
        const std::size_t row = found.from.size();
        found.from.push_back(from);
        found.until.push_back(until + 1);
        found.shortest.push_back(shortest);
        found.longest.push_back(longest);
        found.first.resize((row + 1) * count, never);
        found.heaviest.resize((row + 1) * kinds, -1);
        std::int32_t* const first = found.first.data() + row * count;
        std::int32_t* const heaviest = found.heaviest.data() + row * kinds;
        auto child = children.begin();
        for (std::int32_t i = from; i <= until; ++i) {
            if (child != children.end() && child->from == i) {
                for (std::size_t g = 0; g < count; ++g) {
                    first[g] = std::min(first[g], found.first[child->row * count + g]);
                }
                for (std::size_t k = 0; k < kinds; ++k) {
                    heaviest[k] = std::max(heaviest[k], found.heaviest[child->row * kinds + k]);
                }
                i = child->until;
                ++child;
                continue;
            }
            if (groups[i] >= 0) {
                first[groups[i]] = std::min(first[groups[i]], starts[i]);
            }
            for (std::size_t k = 0; k < kinds; ++k) {
                heaviest[k] = std::max(heaviest[k], weights[k * starts.size() + i]);
            }
        }
        return row;
    };
    std::vector<Open> open;
    open.push_back({0, 0, {}});
    for (std::int32_t i = 0; i < n; ++i) {
        const std::int32_t next = i + 1 < n ? shared[i + 1] : 0;
        const std::int32_t own = ends[i] - starts[i];
        const std::int32_t around = std::max(i > 0 ? shared[i] : 0, next);
        if (own > around && cover[i] >= i) {
            const std::size_t row = add(i, i, around + 1, own, {});
            if (next > open.back().length) {
                open.push_back({next, i, {{i, i, row}}});
                continue;
            }
            open.back().children.push_back({i, i, row});
        } else if (next > open.back().length) {
            open.push_back({next, i, {}});
            continue;
        }
        while (open.back().length > next) {
            Open node = std::move(open.back());
            open.pop_back();
            const std::int32_t outer = std::max(next, open.back().length);
            const bool covers = cover[i] >= node.from;
            std::vector<Child> kept;
            if (covers) {
                const std::size_t row = add(node.from, i, outer + 1, node.length, node.children);
                kept.push_back({node.from, i, row});
            }
            if (next > open.back().length) {
                open.push_back({next, node.from, std::move(kept)});
                break;
            }
            open.back().children.insert(open.back().children.end(), kept.begin(), kept.end());
        }
    }
    return found;
}

std::vector<std::int32_t> first_after(std::span<const std::int32_t> starts,
                                      std::span<const std::int32_t> groups,
                                      std::span<const std::int32_t> from,
                                      std::span<const std::int32_t> until,
                                      std::span<const std::int32_t> limits) {
    std::vector<std::int32_t> found(from.size() * limits.size(), never);
    for (std::size_t row = 0; row < from.size(); ++row) {
        std::int32_t* const first = found.data() + row * limits.size();
        for (std::int32_t i = from[row]; i < until[row]; ++i) {
            const std::int32_t group = groups[i];
            if (group >= 0 && starts[i] >= limits[group] && starts[i] < first[group]) {
                first[group] = starts[i];
            }
        }
    }
    return found;
}

std::vector<std::int32_t> last_starts(std::span<const std::uint32_t> codes, std::size_t begin,
                                      std::size_t end, std::size_t longest) {
    // The Z function of the region read backwards: how many codes before `end - i` are as at its end.
    const std::size_t size = end - begin;
    const auto code = [&](std::size_t i) { return codes[end - 1 - i]; };
    std::vector<std::size_t> alike(size, 0);
    std::vector<std::int32_t> last(longest, -1);
    std::size_t left = 0;
    std::size_t right = 0;
    for (std::size_t i = 1; i < size; ++i) {
        std::size_t length = i < right ? std::min(right - i, alike[i - left]) : 0;
        while (i + length < size && code(length) == code(i + length)) {
            ++length;
        }
        if (i + length > right) {
            left = i;
            right = i + length;
        }
        alike[i] = length;
        // Places come from the last to the first: lengths that were seen before are settled.
        for (std::size_t n = std::min(length, longest); n > 0 && last[n - 1] < 0; --n) {
            last[n - 1] = static_cast<std::int32_t>(end - i - n);
        }
    }
    return last;
}

}  // namespace rowen::substrings
