// HTML tokens, outlines, and token wrappers run over them.
#include "html_outline.hpp"
#include "html_tokens.hpp"
#include "target.hpp"
#include "token_scan.hpp"

namespace rowen {
namespace {

using fuzz::Bytes;

void check_tokens(const html::Tokens& tokens, std::size_t length) {
    const std::size_t count = tokens.kinds.size();
    REQUIRE(tokens.flags.size() == count && tokens.name_ends.size() == count);
    REQUIRE(tokens.bounds.size() == count + 1 && tokens.attributes_from.size() == count + 1);
    REQUIRE(tokens.bounds.front() == 0);
    REQUIRE(static_cast<std::size_t>(tokens.bounds.back()) == length);
    REQUIRE(tokens.attributes_from.front() == 0);
    REQUIRE(4 * static_cast<std::size_t>(tokens.attributes_from.back()) == tokens.attributes.size());
    for (std::size_t i = 0; i < count; ++i) {
        const std::int32_t start = tokens.bounds[i], end = tokens.bounds[i + 1];
        REQUIRE(start < end);  // tokens tile the text
        REQUIRE(tokens.kinds[i] <= static_cast<std::uint8_t>(html::Kind::junk));
        const bool tag = tokens.kinds[i] == static_cast<std::uint8_t>(html::Kind::start_tag) ||
                         tokens.kinds[i] == static_cast<std::uint8_t>(html::Kind::end_tag);
        if (tag) {
            REQUIRE(start < tokens.name_ends[i] && tokens.name_ends[i] <= end);
        } else {
            REQUIRE(tokens.name_ends[i] == -1);
        }
        REQUIRE(tokens.attributes_from[i] <= tokens.attributes_from[i + 1]);
        std::int32_t before = tokens.name_ends[i];
        for (std::int32_t k = tokens.attributes_from[i]; k < tokens.attributes_from[i + 1]; ++k) {
            const std::int32_t* const one = &tokens.attributes[4 * static_cast<std::size_t>(k)];
            REQUIRE(before <= one[0] && one[0] <= one[1] && one[1] <= end);
            before = one[1];
            if (one[2] < 0) {
                REQUIRE(one[2] == -1 && one[3] == -1);
            } else {
                REQUIRE(one[1] <= one[2] && one[2] <= one[3] && one[3] <= end);
                before = one[3];
            }
        }
    }
}

html::Hints hints_of(Bytes& bytes, std::size_t length, std::vector<std::int32_t>& starts,
                     std::vector<std::uint8_t>& hints) {
    std::int32_t at = -1;
    for (std::size_t left = bytes.byte() % 8; left > 0; --left) {
        at += 1 + static_cast<std::int32_t>(bytes.below(length / 4 + 1));
        starts.push_back(at);
        hints.push_back(bytes.byte());
    }
    return {starts, hints};
}

FUZZ_TARGET(html_tokens) {
    const std::uint8_t width = bytes.byte();
    const bool hinted = bytes.byte() % 2;
    std::vector<std::int32_t> starts;
    std::vector<std::uint8_t> kinds;
    const html::Hints hints = hinted ? hints_of(bytes, bytes.size(), starts, kinds) : html::Hints{};
    const auto text = bytes.take(bytes.size());
    fuzz::with_width(width, text, [&](const auto& codes) {
        const html::Tokens tokens =
            html::tokenize(codes.data(), codes.size(), hinted ? &hints : nullptr);
        check_tokens(tokens, codes.size());
        if (!hinted && !codes.empty()) {
            const std::size_t place = codes.size() / 2;
            const html::Token token = html::token_at(codes.data(), codes.size(), place);
            REQUIRE(token.start <= place && place < token.end);
            const auto start = static_cast<std::int32_t>(token.start);
            const auto i = std::ranges::find(tokens.bounds, start) - tokens.bounds.begin();
            REQUIRE(static_cast<std::size_t>(tokens.bounds.at(i + 1)) == token.end);
            REQUIRE(tokens.kinds[i] == static_cast<std::uint8_t>(token.kind));
            REQUIRE(tokens.flags[i] == token.flags);
        }
    });
}

void check_outline(const html::Outline& outline, std::size_t length) {
    const std::size_t count = outline.names.size();
    REQUIRE(count >= 1);
    const auto limit = static_cast<std::int32_t>(length);
    for (const auto* column : {&outline.starts, &outline.ends, &outline.slot_starts,
                               &outline.slot_ends, &outline.parents, &outline.closes}) {
        REQUIRE(column->size() == count);
    }
    REQUIRE(outline.attributes_from.size() == count + 1);
    for (std::size_t i = 0; i < count; ++i) {
        REQUIRE(0 <= outline.starts[i] && outline.starts[i] <= outline.ends[i]);
        REQUIRE(outline.ends[i] <= outline.slot_starts[i]);
        REQUIRE(outline.slot_starts[i] <= outline.slot_ends[i] && outline.slot_ends[i] <= limit);
        REQUIRE(i == 0 || (outline.parents[i] >= 0 && outline.parents[i] < static_cast<std::int32_t>(i)));
        REQUIRE(outline.closes[i] <= static_cast<std::int32_t>(count));
        REQUIRE(i == 0 || outline.slot_ends[i - 1] <= outline.starts[i]);
    }
}

FUZZ_TARGET(html_outline) {
    const std::uint8_t width = bytes.byte();
    const auto text = bytes.take(bytes.size());
    fuzz::with_width(width, text, [&](const auto& codes) {
        const html::Outline outline = html::outline(codes.data(), codes.size());
        check_outline(outline, codes.size());
        const html::Digests digests = html::digests(codes.data(), outline);
        REQUIRE(digests.slots.size() == outline.names.size());
        REQUIRE(4 * digests.attribute_names.size() == outline.attributes.size());
        for (std::size_t i = 0; i < digests.slots.size(); ++i) {
            REQUIRE((digests.slots[i] == 0) == (outline.slot_starts[i] == outline.slot_ends[i]));
        }
        html::name_digest(codes.data(), codes.size());
        html::text_digest(codes.data(), codes.size());
    });
}

// Digests mostly are those of the page, so that landmarks are found.
std::uint64_t drawn(Bytes& bytes, const std::vector<std::uint64_t>& known) {
    const std::uint8_t choice = bytes.byte();
    return known.empty() || choice == 255 ? bytes.number(8) : known[choice % known.size()];
}

struct Known {
    std::vector<std::uint64_t> names, texts, attribute_names, attribute_values;
};

token::Tag tag_of(Bytes& bytes, const Known& known) {
    token::Tag tag{drawn(bytes, known.names), {}, std::nullopt};
    const std::uint8_t more = bytes.byte();
    for (int i = more % 3; i > 0; --i) {
        tag.attributes.push_back({drawn(bytes, known.attribute_names), drawn(bytes, known.attribute_values)});
    }
    if (more & 16) tag.place = static_cast<std::int8_t>(bytes.byte());
    return tag;
}

token::Landmark landmark_of(Bytes& bytes, const Known& known) {
    token::Landmark landmark{{0, tag_of(bytes, known), std::nullopt}};
    for (int i = bytes.byte() % 4; i > 0; --i) {
        token::Step step{};
        const std::uint8_t form = bytes.byte();
        step.by = form == 255 ? static_cast<std::int64_t>(bytes.number(8))
                              : static_cast<std::int8_t>(bytes.byte());
        if (form & 1) step.tag = tag_of(bytes, known);
        if (form & 2) step.text = drawn(bytes, known.texts);
        landmark.push_back(std::move(step));
    }
    return landmark;
}

token::Cut cut_of(Bytes& bytes, const Known& known) {
    token::Cut cut{};
    const std::uint8_t form = bytes.byte();
    const auto string = [&] {
        const auto part = bytes.take(bytes.byte() % 4);
        return std::u32string(part.begin(), part.end());
    };
    if (form & 1) cut.attribute = drawn(bytes, known.attribute_names);
    if (form & 2) cut.left = string();
    if (form & 4) cut.right = string();
    cut.last = form & 8;
    if (form & 16) cut.until = drawn(bytes, known.names);
    cut.exact = form & 32;
    cut.element = form & 64;
    cut.open = form & 128;
    return cut;
}

FUZZ_TARGET(token_scan) {
    const std::uint8_t width = bytes.byte();
    auto program_bytes = bytes.take(16 + bytes.byte() % 64);
    const auto text = bytes.take(bytes.size());
    fuzz::with_width(width, text, [&](const auto& codes) {
        const html::Outline outline = html::outline(codes.data(), codes.size());
        const html::Digests digests = html::digests(codes.data(), outline);
        const Known known{outline.names, digests.slots, digests.attribute_names, digests.attribute_values};
        Bytes drawing{program_bytes};
        token::Program program{};
        if (drawing.byte() % 2) {
            program.record = token::Boundary{tag_of(drawing, known), std::nullopt};
            if (drawing.byte() % 2) program.record->parent = tag_of(drawing, known);
        }
        for (int fields = 1 + drawing.byte() % 3; fields > 0; --fields) {
            token::Field field{};
            for (int rules = 1 + drawing.byte() % 2; rules > 0; --rules) {
                token::Rule rule{landmark_of(drawing, known), cut_of(drawing, known), std::nullopt, false};
                const std::uint8_t form = drawing.byte();
                rule.otherwise = form & 16;
                if (form % 4 == 1) rule.container = landmark_of(drawing, known);
                field.rules.push_back(std::move(rule));
            }
            field.take = static_cast<token::Take>(drawing.byte() % 3);
            field.several = drawing.byte() % 2;
            field.counts = drawing.byte() % 2;
            program.fields.push_back(std::move(field));
        }
        program.required = drawing.byte() % 4;
        token::Scanner scanner(codes.data(), codes.size(), outline);
        const auto length = static_cast<token::Index>(codes.size());
        const auto inside = [&](token::Index start, token::Index end) {
            REQUIRE(0 <= start && start <= end && end <= length);
        };
        for (const token::Field& field : program.fields) {
            for (const token::Rule& rule : field.rules) {
                for (const token::Index tag : scanner.find(rule.item)) {
                    REQUIRE(0 <= tag && static_cast<std::size_t>(tag) < outline.names.size());
                    if (const auto bounds = scanner.cut(rule.cut, tag)) inside(bounds->first, bounds->second);
                }
                for (const token::Value& value : scanner.values(rule)) inside(value.start, value.end);
            }
        }
        const token::Rows rows = scanner.rows(program);
        REQUIRE((rows.ends.size() - 1) % program.fields.size() == 0);
        REQUIRE(rows.ends.front() == 0 && rows.ends.back() == rows.values.size());
        REQUIRE(std::is_sorted(rows.ends.begin(), rows.ends.end()));
        for (const token::Value& value : rows.values) inside(value.start, value.end);
    });
}

}  // namespace
}  // namespace rowen
