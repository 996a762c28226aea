// Flat records as JSON lines: the innermost loop of writing results.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace rowen::json {

// Appends a string of code points, each stored in 1, 2 or 4 bytes, as a JSON string in UTF-8. Only
// what JSON can't hold is escaped; so are lone surrogates, which UTF-8 can't hold.
template <typename Char>
void append_string(std::string& out, const Char* text, std::size_t length);

extern template void append_string(std::string&, const std::uint8_t*, std::size_t);
extern template void append_string(std::string&, const std::uint16_t*, std::size_t);
extern template void append_string(std::string&, const std::uint32_t*, std::size_t);

// Whether what a reader sees of a text may differ from its source in markup: it has a character of
// markup or of escapes, white space other than single blanks between words, or characters without a
// glyph. `rowen.values.clean` decides; this only has to be true wherever that changes anything.
template <typename Char>
bool is_doubtful(const Char* text, std::size_t length);

extern template bool is_doubtful(const std::uint8_t*, std::size_t);
extern template bool is_doubtful(const std::uint16_t*, std::size_t);
extern template bool is_doubtful(const std::uint32_t*, std::size_t);

// A page as a line of JSON: an object with the strings "id" and "text", and nothing else.
struct PageLine {
    std::string id;
    std::string text;
};

// Reads the usual form of such a line. False for anything else, also for what is no JSON, for other
// members, and for escaped surrogates: a complete parser decides about these. The strings are as in
// the line, so they may be no UTF-8.
bool read_page_line(const char* line, std::size_t length, PageLine& page);

void append_number(std::string& out, std::size_t number);

}  // namespace rowen::json
