// HTML tokens as ranges of the source: https://html.spec.whatwg.org/multipage/parsing.html#tokenization
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace rowen::html {

enum class Kind : std::uint8_t { text, start_tag, end_tag, comment, doctype, junk };

enum Flag : std::uint8_t {
    self_closing = 1,  // a start tag that ends in "/>"
    literal = 2,       // text whose ampersands are no character references
    raw = 4,           // text in an element that holds text alone, such as script or title
};

// What a tree builder knows about markup that a tokenizer by itself can't know.
enum Hint : std::uint8_t {
    holds_text = 1,     // the tag opens an element that holds text alone
    foreign = 2,        // after the tag the current node is in SVG or MathML, where CDATA is allowed
    opens_foreign = 4,  // likewise, unless the tag closes itself
};

// Tags that did something in a tree, and "<![CDATA[" of which it is known whether the current node
// is in SVG or MathML (`foreign`), by where they start, in ascending order.
struct Hints {
    std::span<const std::int32_t> starts;
    std::span<const std::uint8_t> hints;
};

// Columns. Token i covers [bounds[i], bounds[i + 1]) and has the attributes
// [attributes_from[i], attributes_from[i + 1]); the first bound is 0 and the last the text's length.
struct Tokens {
    std::vector<std::uint8_t> kinds;
    std::vector<std::uint8_t> flags;
    std::vector<std::int32_t> bounds;
    std::vector<std::int32_t> name_ends;  // -1 where there is no tag name
    std::vector<std::int32_t> attributes_from;
    // Four for each attribute: where its name starts and ends, where its value starts and ends,
    // without quotes; -1 twice where it has no value.
    std::vector<std::int32_t> attributes;
};

// Tokenizes `length` code points, each stored in 1, 2 or 4 bytes. Without hints every tag counts as
// if it stood in plain HTML. Time is linear in the length whatever the text.
template <typename Char>
Tokens tokenize(const Char* text, std::size_t length, const Hints* hints);

extern template Tokens tokenize(const std::uint8_t*, std::size_t, const Hints*);
extern template Tokens tokenize(const std::uint16_t*, std::size_t, const Hints*);
extern template Tokens tokenize(const std::uint32_t*, std::size_t, const Hints*);

struct Token {
    Kind kind;
    std::uint8_t flags;
    std::size_t start;
    std::size_t end;
};

// The token of a text that has the character at `place`, which is less than `length`: as `tokenize`
// has it without hints, but what follows is not read, and what is before is not kept.
template <typename Char>
Token token_at(const Char* text, std::size_t length, std::size_t place);

extern template Token token_at(const std::uint8_t*, std::size_t, std::size_t);
extern template Token token_at(const std::uint16_t*, std::size_t, std::size_t);
extern template Token token_at(const std::uint32_t*, std::size_t, std::size_t);

}  // namespace rowen::html
