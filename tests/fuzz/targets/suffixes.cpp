// Matchers, suffix arrays and what learning builds on them.
#include <limits>
#include <optional>
#include <set>
#include <tuple>

#include "match.hpp"
#include "substrings.hpp"
#include "suffix_sort.hpp"
#include "target.hpp"

namespace rowen {
namespace {

using fuzz::Bytes;

template <typename Char>
void check_regions(const match::Regions& regions, const std::vector<Char>& old_text,
                   const std::vector<Char>& new_text, std::size_t least) {
    for (const match::Region& one : regions) {
        REQUIRE(one.length >= static_cast<std::int64_t>(std::max<std::size_t>(least, 1)));
        REQUIRE(one.new_start >= 0 && one.old_start >= 0);
        REQUIRE(one.new_start + one.length <= static_cast<std::int64_t>(new_text.size()));
        REQUIRE(one.old_start + one.length <= static_cast<std::int64_t>(old_text.size()));
        REQUIRE(std::equal(new_text.begin() + one.new_start, new_text.begin() + one.new_start + one.length,
                           old_text.begin() + one.old_start));
    }
}

// The places of the new text that lie in some region of at least `least` characters, by comparing
// everything with everything.
template <typename Char>
std::vector<bool> covered(const std::vector<Char>& old_text, const std::vector<Char>& new_text,
                          std::size_t least) {
    std::vector<bool> found(new_text.size());
    for (std::size_t i = 0; i < new_text.size(); ++i) {
        for (std::size_t k = 0; k < old_text.size(); ++k) {
            std::size_t length = 0;
            while (i + length < new_text.size() && k + length < old_text.size() &&
                   new_text[i + length] == old_text[k + length]) {
                ++length;
            }
            if (length >= std::max<std::size_t>(least, 1)) {
                for (std::size_t n = 0; n < length; ++n) found[i + n] = true;
            }
        }
    }
    return found;
}

std::vector<bool> covered_by(const match::Regions& regions, std::size_t size) {
    std::vector<bool> found(size);
    for (const match::Region& one : regions) {
        for (std::int64_t i = 0; i < one.length; ++i) found[static_cast<std::size_t>(one.new_start + i)] = true;
    }
    return found;
}

FUZZ_TARGET(match) {
    const std::uint8_t width = bytes.byte();
    const std::size_t least = bytes.byte() % 24;
    const std::size_t cut = bytes.below(bytes.size() + 1);
    const auto old_bytes = bytes.take(cut);
    const auto new_bytes = bytes.take(bytes.size());
    fuzz::with_width(width, old_bytes, [&](const auto& old_codes) {
        using Char = typename std::decay_t<decltype(old_codes)>::value_type;
        const std::vector<Char> new_codes = fuzz::widened<Char>(new_bytes);
        const match::Text<Char> old_text{old_codes.data(), old_codes.size()};
        const match::Text<Char> new_text{new_codes.data(), new_codes.size()};
        const match::Regions edges = match::edges(old_text, new_text, least);
        const match::Regions all = match::suffix(old_text, new_text, least);
        const match::Regions lines = match::line(old_text, new_text, least);
        for (const auto* regions : {&edges, &all, &lines}) {
            check_regions(*regions, old_codes, new_codes, least);
        }
        const std::vector<bool> reached = covered_by(all, new_codes.size());
        if (old_codes.size() * new_codes.size() < 40000) {
            REQUIRE(reached == covered(old_codes, new_codes, least));
        }
        if (least >= match::shortest_anchor) {
            if (const auto anchored = match::anchor(old_text, new_text, least)) {
                check_regions(*anchored, old_codes, new_codes, least);
                REQUIRE(covered_by(*anchored, new_codes.size()) == reached);
            }
        }
    });
}

template <typename Letter>
void check_order(const std::vector<std::uint8_t>& bytes, std::int32_t letters) {
    std::vector<Letter> text;
    for (const std::uint8_t byte : bytes) text.push_back(static_cast<Letter>(1 + byte % (letters - 1)));
    text.push_back(0);
    const std::vector<std::int32_t> order = sort_suffixes(text, letters);
    REQUIRE(order.size() == text.size());
    std::vector<bool> seen(text.size());
    for (const std::int32_t start : order) {
        REQUIRE(start >= 0 && static_cast<std::size_t>(start) < text.size() && !seen[start]);
        seen[start] = true;
    }
    for (std::size_t i = 1; i < order.size(); ++i) {
        REQUIRE(std::lexicographical_compare(text.begin() + order[i - 1], text.end(),
                                             text.begin() + order[i], text.end()));
    }
}

FUZZ_TARGET(suffix_sort) {
    const std::uint8_t form = bytes.byte();
    const auto text = bytes.take(2048);
    const std::int32_t letters = 2 + form % 120;
    switch (form % 3) {
        case 0: check_order<std::uint8_t>(text, letters); break;
        case 1: check_order<std::uint16_t>(text, letters); break;
        default: check_order<std::int32_t>(text, letters);
    }
}

FUZZ_TARGET(substrings) {
    const std::uint8_t alphabet = 1 + bytes.byte() % 8;
    const std::size_t groups_wanted = 1 + bytes.byte() % 3;
    const auto drawn = bytes.take(32);
    const auto given = bytes.take(512);
    // Texts one after the other, each closed by a code of its own.
    std::vector<std::uint32_t> codes;
    std::vector<std::int32_t> ends_at;
    std::uint32_t closing = 1000;
    for (const std::uint8_t byte : given) {
        codes.push_back(byte == 0 ? closing++ : 1 + byte % alphabet);
    }
    codes.push_back(closing);
    std::vector<std::uint8_t> wanted(codes.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) wanted[i] = given.empty() || given[i % given.size()] % 5 != 0;
    std::vector<std::int32_t> text_ends(codes.size()), text_numbers(codes.size());
    std::int32_t number = 0;
    for (std::size_t i = 0; i < codes.size(); ++i) {
        std::size_t end = i;
        while (codes[end] < 1000) ++end;
        text_ends[i] = static_cast<std::int32_t>(end);
        text_numbers[i] = number;
        if (codes[i] >= 1000) ++number;
    }
    const substrings::Order order = substrings::order(codes, wanted);
    REQUIRE(order.starts.size() == order.shared.size());
    REQUIRE(order.starts.size() ==
            static_cast<std::size_t>(std::count_if(wanted.begin(), wanted.end(), [](auto one) { return one != 0; })));
    std::vector<std::int32_t> ends, groups;
    for (std::size_t i = 0; i < order.starts.size(); ++i) {
        const auto start = static_cast<std::size_t>(order.starts[i]);
        REQUIRE(start < codes.size() && wanted[start]);
        if (i > 0) {
            const auto before = static_cast<std::size_t>(order.starts[i - 1]);
            REQUIRE(std::lexicographical_compare(codes.begin() + static_cast<std::ptrdiff_t>(before), codes.end(),
                                                 codes.begin() + static_cast<std::ptrdiff_t>(start), codes.end()));
            std::size_t alike = 0;
            while (start + alike < codes.size() && before + alike < codes.size() &&
                   codes[start + alike] == codes[before + alike]) {
                ++alike;
            }
            REQUIRE(order.shared[i] == static_cast<std::int32_t>(alike));
        }
        ends.push_back(text_ends[start]);
        groups.push_back(text_numbers[start] < static_cast<std::int32_t>(groups_wanted) ? text_numbers[start] : -1);
    }
    std::vector<std::int32_t> weights(order.starts.size());
    for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = drawn.empty() ? 0 : drawn[i % drawn.size()];
    const substrings::Classes classes = substrings::classes(order.starts, order.shared, ends, groups,
                                                            groups_wanted, weights, weights.empty() ? 0 : 1);
    for (std::size_t row = 0; row < classes.from.size(); ++row) {
        const std::int32_t from = classes.from[row], until = classes.until[row];
        REQUIRE(0 <= from && from < until && static_cast<std::size_t>(until) <= order.starts.size());
        REQUIRE(0 < classes.shortest[row] && classes.shortest[row] <= classes.longest[row]);
        for (std::size_t g = 0; g < groups_wanted; ++g) {
            std::int32_t first = std::numeric_limits<std::int32_t>::max();
            for (std::int32_t i = from; i < until; ++i) {
                if (groups[i] == static_cast<std::int32_t>(g)) first = std::min(first, order.starts[i]);
            }
            REQUIRE(classes.first[row * groups_wanted + g] == first);
            REQUIRE(first != std::numeric_limits<std::int32_t>::max());
        }
    }
    std::vector<std::int32_t> limits(groups_wanted);
    for (std::size_t g = 0; g < groups_wanted; ++g) limits[g] = drawn.size() > g ? drawn[g] : 0;
    const std::vector<std::int32_t> after =
        substrings::first_after(order.starts, groups, classes.from, classes.until, limits);
    REQUIRE(after.size() == classes.from.size() * groups_wanted);
    Bytes numbers{drawn};
    const std::size_t begin = numbers.below(codes.size() + 1);
    const std::size_t end = begin + numbers.below(codes.size() - begin + 1);
    const std::size_t longest = numbers.below(end - begin + 1);
    const std::vector<std::int32_t> last = substrings::last_starts(codes, begin, end, longest);
    REQUIRE(last.size() == longest);
    for (std::size_t n = 1; n <= longest && end - begin < 200; ++n) {
        std::int32_t expected = -1;
        for (std::size_t at = begin; at + n < end; ++at) {
            if (std::equal(codes.begin() + static_cast<std::ptrdiff_t>(at), codes.begin() + static_cast<std::ptrdiff_t>(at + n),
                           codes.begin() + static_cast<std::ptrdiff_t>(end - n))) {
                expected = static_cast<std::int32_t>(at);
            }
        }
        REQUIRE(last[n - 1] == expected);
    }
}

}  // namespace
}  // namespace rowen
