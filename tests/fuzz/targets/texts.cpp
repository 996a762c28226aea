// Writing JSON, scanning for delimiters, segments, fingerprints.
#include "fingerprint.hpp"
#include "json_lines.hpp"
#include "scan.hpp"
#include "segments.hpp"
#include "target.hpp"

namespace rowen {
namespace {

using fuzz::Bytes;

// Reads a JSON string back, the slow and obvious way.
std::u32string read_back(const std::string& json) {
    REQUIRE(json.size() >= 2 && json.front() == '"' && json.back() == '"');
    std::u32string found;
    for (std::size_t i = 1; i + 1 < json.size();) {
        const auto byte = static_cast<unsigned char>(json[i]);
        REQUIRE(byte >= 0x20 && byte != '"');
        if (byte == '\\') {
            const char escaped = json[i + 1];
            static const std::string short_forms = "\"\\/bfnrt", meant = "\"\\/\b\f\n\r\t";
            if (escaped == 'u') {
                REQUIRE(i + 6 < json.size());
                found.push_back(static_cast<char32_t>(std::stoul(json.substr(i + 2, 4), nullptr, 16)));
                i += 6;
            } else {
                const std::size_t form = short_forms.find(escaped);
                REQUIRE(form != std::string::npos);
                found.push_back(static_cast<char32_t>(meant[form]));
                i += 2;
            }
            continue;
        }
        const std::size_t more = byte < 0x80 ? 0 : byte < 0xE0 ? 1 : byte < 0xF0 ? 2 : 3;
        REQUIRE(i + more + 1 < json.size());
        char32_t code = more == 0 ? byte : byte & (0x3Fu >> more);
        for (std::size_t k = 1; k <= more; ++k) {
            REQUIRE((static_cast<unsigned char>(json[i + k]) & 0xC0u) == 0x80u);
            code = code << 6 | (static_cast<unsigned char>(json[i + k]) & 0x3Fu);
        }
        REQUIRE(code < 0xD800 || code > 0xDFFF);
        found.push_back(code);
        i += more + 1;
    }
    return found;
}

FUZZ_TARGET(json_lines) {
    const std::uint8_t width = bytes.byte();
    const std::uint64_t number = bytes.number(8);
    const auto text = bytes.take(bytes.size());
    fuzz::with_width(width, text, [&](const auto& codes) {
        std::string out;
        json::append_string(out, codes.data(), codes.size());
        REQUIRE(read_back(out) == std::u32string(codes.begin(), codes.end()));
        std::string digits;
        json::append_number(digits, number);
        REQUIRE(digits == std::to_string(number));
    });
}

template <typename Char>
scan::Needle needle_of(const std::vector<std::uint8_t>& bytes, bool given) {
    scan::Needle needle;
    needle.given = given;
    const std::vector<Char> codes = fuzz::widened<Char>(bytes);
    needle.bytes.assign(reinterpret_cast<const char*>(codes.data()), codes.size() * sizeof(Char));
    return needle;
}

// What the delimiters of DESIGN's section 3 give, as it is written there.
template <typename Char>
struct Reference {
    using Text = std::basic_string<char32_t>;
    Text text, head, tail, open, close;
    bool has_head, has_tail, has_open, has_close;
    std::vector<Text> left, right;

    std::vector<std::size_t> rows() const {
        constexpr std::size_t none = Text::npos;
        std::vector<std::size_t> found;
        std::size_t at = 0;
        if (has_head) {
            at = text.find(head);
            if (at == none) return found;
        }
        while (true) {
            const std::size_t begins = text.find(has_open ? open : left[0], at);
            if (begins == none) return found;
            if (has_tail) {
                const std::size_t ends = text.find(tail, at);
                if (ends != none && ends <= begins) return found;
            }
            std::size_t cursor = begins;
            std::vector<std::size_t> row;
            for (std::size_t k = 0; k < left.size(); ++k) {
                std::size_t start = text.find(left[k], cursor);
                if (start == none) return found;
                start += left[k].size();
                const std::size_t end = text.find(right[k], start);
                if (end == none) return found;
                row.push_back(start);
                row.push_back(end);
                cursor = end;
            }
            found.insert(found.end(), row.begin(), row.end());  // has all values, closed or not
            if (has_close) {
                cursor = text.find(close, cursor);
                if (cursor == none) return found;
            }
            at = cursor;
        }
    }
};

FUZZ_TARGET(scan) {
    const std::uint8_t width = bytes.byte();
    const std::uint8_t form = bytes.byte();
    const std::size_t fields = 1 + form % 3;
    std::vector<std::vector<std::uint8_t>> parts;
    for (std::size_t i = 0; i < 4 + 2 * fields; ++i) {
        parts.push_back(bytes.take(1 + bytes.byte() % 3));
        if (parts.back().empty()) parts.back().push_back('x');
    }
    const bool head = form & 8, tail = form & 16, both = form & 32;
    if (form & 64) parts[0].clear();
    if (form & 128) parts[3].clear();
    const auto text = bytes.take(bytes.size());
    fuzz::with_width(width, text, [&](const auto& codes) {
        using Char = typename std::decay_t<decltype(codes)>::value_type;
        const auto wide = [](const std::vector<std::uint8_t>& part) {
            const auto codes_of_part = fuzz::widened<Char>(part);
            return std::u32string(codes_of_part.begin(), codes_of_part.end());
        };
        scan::Delimiters delimiters{needle_of<Char>(parts[0], head), needle_of<Char>(parts[1], tail),
                                    needle_of<Char>(parts[2], both), needle_of<Char>(parts[3], both), {}, {}};
        Reference<Char> reference{{codes.begin(), codes.end()}, wide(parts[0]), wide(parts[1]),
                                  wide(parts[2]), wide(parts[3]), head, tail, both, both, {}, {}};
        for (std::size_t k = 0; k < fields; ++k) {
            delimiters.left.push_back(needle_of<Char>(parts[4 + 2 * k], true));
            delimiters.right.push_back(needle_of<Char>(parts[5 + 2 * k], true));
            reference.left.push_back(wide(parts[4 + 2 * k]));
            reference.right.push_back(wide(parts[5 + 2 * k]));
        }
        const scan::Found found = scan::scan(reinterpret_cast<const char*>(codes.data()), codes.size(),
                                             sizeof(Char), delimiters);
        REQUIRE(found.bounds == reference.rows());
    });
}

FUZZ_TARGET(segments) {
    const std::uint8_t width = bytes.byte();
    const std::uint8_t other_width = bytes.byte();
    std::vector<std::u32string> given;
    std::u32string marks_given;
    for (int i = 1 + bytes.byte() % 3; i > 0; --i) {
        auto part = bytes.take(1 + bytes.byte() % 3);
        if (part.empty()) part.push_back('\n');
        given.emplace_back(part.begin(), part.end());
        marks_given.push_back(given.back()[0]);
    }
    const auto drawn = bytes.take(12);
    const auto old_text = bytes.take(bytes.size() / 2);
    const auto text = bytes.take(bytes.size());
    const segments::Separators separators(given);
    const segments::Marks marks(marks_given);
    fuzz::with_width(width, text, [&](const auto& codes) {
        const segments::Bounds bounds = segments::split(codes.data(), codes.size(), separators);
        REQUIRE(bounds.starts.size() == bounds.ends.size() && bounds.starts.front() == 0);
        REQUIRE(bounds.ends.back() == static_cast<std::int32_t>(codes.size()));
        for (std::size_t i = 0; i < bounds.starts.size(); ++i) {
            REQUIRE(bounds.starts[i] <= bounds.ends[i]);
            REQUIRE(i == 0 || bounds.ends[i - 1] < bounds.starts[i]);
        }
        fuzz::with_width(other_width, old_text, [&](const auto& old) {
            Bytes numbers{drawn};
            const auto size = static_cast<std::int64_t>(codes.size());
            const auto old_size = static_cast<std::int64_t>(old.size());
            const auto start = static_cast<std::int64_t>(numbers.below(codes.size() + 1));
            const auto old_start = static_cast<std::int64_t>(numbers.below(old.size() + 1));
            std::int64_t length = 0;
            while (start + length < size && old_start + length < old_size &&
                   codes[static_cast<std::size_t>(start + length)] ==
                       old[static_cast<std::size_t>(old_start + length)]) {
                ++length;
            }
            const auto [first, last] = segments::whole_segments(
                codes.data(), size, old.data(), old_size, {start, old_start, length}, marks);
            if (first <= last) REQUIRE(start <= first && last <= start + length);
            const auto low = static_cast<std::int64_t>(numbers.below(codes.size() + 1));
            const segments::Gap gap{low, low + static_cast<std::int64_t>(numbers.below(
                                             static_cast<std::size_t>(size - low) + 1))};
            const segments::Places places =
                segments::old_places(codes.data(), old.data(), old_size, &gap, 1, marks);
            for (std::size_t i = 0; i < places.starts.size(); ++i) {
                const std::int64_t here = places.starts[i], there = places.old_starts[i];
                REQUIRE(gap.start <= here && here <= places.ends[i] && places.ends[i] <= gap.end);
                if (there < 0) continue;
                REQUIRE(there + places.ends[i] - here <= old_size);
                for (std::int64_t k = 0; k < places.ends[i] - here; ++k) {
                    REQUIRE(codes[static_cast<std::size_t>(here + k)] ==
                            old[static_cast<std::size_t>(there + k)]);
                }
            }
        });
    });
}

struct Folded {
    std::uint32_t operator()(std::uint32_t code) const {
        return (code >= '0' && code <= '9') || (code >= 'a' && code <= 'z') || code > 127 ? code : 0;
    }
};

FUZZ_TARGET(fingerprint) {
    const std::uint8_t width = bytes.byte();
    const std::uint64_t key = bytes.number(8);
    const auto text = bytes.take(bytes.size());
    fuzz::with_width(width, text, [&](const auto& codes) {
        shingles::Votes votes;
        shingles::Sketch sketch(key);
        std::vector<std::uint64_t> all;
        std::size_t words = 0;
        shingles::each_word(codes.data(), codes.size(), Folded{}, [&](std::uint64_t) { ++words; });
        shingles::each_shingle(codes.data(), codes.size(), Folded{}, [&](std::uint64_t one) {
            votes.add(one);
            sketch.add(one);
            all.push_back(one);
        });
        REQUIRE(all.size() == (words > 2 ? words - 2 : words > 0 ? 1 : 0));
        std::uint64_t slow = 0;
        for (int bit = 0; bit < 64; ++bit) {
            std::size_t set = 0;
            for (const std::uint64_t one : all) set += one >> bit & 1;
            slow |= static_cast<std::uint64_t>(2 * set > all.size()) << bit;
        }
        REQUIRE(votes.fingerprint() == slow);
        const auto bits = sketch.bits();
        REQUIRE(!all.empty() || std::all_of(bits.begin(), bits.end(), [](auto one) { return one == 0; }));
    });
}

}  // namespace
}  // namespace rowen
