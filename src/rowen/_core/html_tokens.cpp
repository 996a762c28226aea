#include "html_tokens.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

namespace rowen::html {
namespace {

// What follows a start tag: markup, or the text of an element that holds nothing else.
enum class Content : std::uint8_t { markup, escapable, unescapable, script, plaintext };

struct TextElement {
    std::string_view name;
    Content content;
};

constexpr std::array text_elements{
    TextElement{"iframe", Content::unescapable},   TextElement{"noembed", Content::unescapable},
    TextElement{"noframes", Content::unescapable}, TextElement{"plaintext", Content::plaintext},
    TextElement{"script", Content::script},        TextElement{"style", Content::unescapable},
    TextElement{"textarea", Content::escapable},   TextElement{"title", Content::escapable},
    TextElement{"xmp", Content::unescapable},
};

enum Class : std::uint8_t { alpha = 1, space = 2, ends_name = 4, ends_attribute = 8, ends_bare = 16 };

constexpr std::array<std::uint8_t, 128> classes = [] {
    std::array<std::uint8_t, 128> table{};
    for (char c = 'a'; c <= 'z'; ++c) {
        table[static_cast<unsigned char>(c)] |= alpha;
        table[static_cast<unsigned char>(c - 'a' + 'A')] |= alpha;
    }
    // A carriage return is a newline not yet normalised, so it counts as a space.
    for (char c : {' ', '\t', '\n', '\f', '\r'}) {
        table[static_cast<unsigned char>(c)] |= space | ends_name | ends_attribute | ends_bare;
    }
    for (char c : {'/', '>'}) table[static_cast<unsigned char>(c)] |= ends_name | ends_attribute;
    table['='] |= ends_attribute;
    table['>'] |= ends_bare;
    return table;
}();

template <typename Char>
bool is(Char c, std::uint8_t wanted) {
    return c < 128 && (classes[c] & wanted) != 0;
}

template <typename Char>
char lower(Char c) {
    if (c >= 'A' && c <= 'Z') return static_cast<char>(c + ('a' - 'A'));
    return c < 128 ? static_cast<char>(c) : '\x7f';
}

template <typename Char>
const Char* find(const Char* from, const Char* end, char wanted) {
    if constexpr (sizeof(Char) == 1) {
        const void* found = std::memchr(from, wanted, static_cast<std::size_t>(end - from));
        return found ? static_cast<const Char*>(found) : end;
    } else {
        // Blocks without an early exit are what compilers turn into vector instructions.
        constexpr std::ptrdiff_t block = 64 / sizeof(Char);
        const Char c = static_cast<Char>(wanted);
        while (end - from >= block) {
            Char any = 0;
            for (std::ptrdiff_t i = 0; i < block; ++i) any |= static_cast<Char>(from[i] == c);
            if (any) break;
            from += block;
        }
        return std::find(from, end, c);
    }
}

template <typename Char>
class Tokenizer {
public:
    Tokenizer(const Char* text, std::size_t length, const Hints* hints)
        : begin_(text), end_(text + length), hints_(hints) {}

    Tokens run() && {
        const Char* at = begin_;
        while (at != end_) at = step(at);
        out_.bounds.push_back(offset(end_));
        out_.attributes_from.push_back(attribute_count());
        return std::move(out_);
    }

    Token run_to(std::size_t place) && {
        const Char* at = begin_;
        do {
            forget();
            at = step(at);
        } while (static_cast<std::size_t>(at - begin_) <= place);
        out_.bounds.push_back(offset(at));
        const auto wanted = static_cast<std::int32_t>(place);
        const auto after = std::upper_bound(out_.bounds.begin(), out_.bounds.end(), wanted);
        const auto i = static_cast<std::size_t>(after - out_.bounds.begin()) - 1;
        return {static_cast<Kind>(out_.kinds[i]), out_.flags[i],
                static_cast<std::size_t>(out_.bounds[i]), static_cast<std::size_t>(*after)};
    }

private:
    // The next tokens: at most a text and the markup that ends it.
    const Char* step(const Char* at) {
        switch (content_) {
            case Content::markup: return markup(at);
            case Content::escapable: return raw_text(at, Flag::raw);
            case Content::unescapable: return raw_text(at, Flag::raw | Flag::literal);
            case Content::script: return script(at);
            case Content::plaintext: break;
        }
        emit(Kind::text, at, end_, Flag::raw | Flag::literal);
        return end_;
    }

    // Drops the tokens so far. Their memory is used again.
    void forget() {
        out_.kinds.clear();
        out_.flags.clear();
        out_.bounds.clear();
        out_.name_ends.clear();
        out_.attributes_from.clear();
        out_.attributes.clear();
    }

    std::int32_t offset(const Char* at) const { return static_cast<std::int32_t>(at - begin_); }

    std::int32_t attribute_count() const {
        return static_cast<std::int32_t>(out_.attributes.size() / 4);
    }

    // Every token starts where the one before ends: the end is given only to leave out empty ones.
    void emit(Kind kind, const Char* from, const Char* to, std::uint8_t flags = 0) {
        if (from == to) return;
        push(kind, from, flags, -1, attribute_count());
    }

    void push(Kind kind, const Char* from, std::uint8_t flags, std::int32_t name_end,
              std::int32_t attributes_from) {
        out_.kinds.push_back(static_cast<std::uint8_t>(kind));
        out_.flags.push_back(flags);
        out_.bounds.push_back(offset(from));
        out_.name_ends.push_back(name_end);
        out_.attributes_from.push_back(attributes_from);
    }

    bool follows(const Char* at, std::string_view wanted) const {
        if (static_cast<std::size_t>(end_ - at) < wanted.size()) return false;
        return std::equal(wanted.begin(), wanted.end(), at,
                          [](char w, Char c) { return lower(c) == w; });
    }

    // Text from `at` up to the next markup, and that markup.
    const Char* markup(const Char* at) {
        const Char* const from = at;
        for (;;) {
            const Char* open = find(at, end_, '<');
            if (end_ - open < 2) break;
            const Char next = open[1];
            if (is(next, alpha)) {
                emit(Kind::text, from, open);
                return tag(open, open + 1, Kind::start_tag);
            }
            if (next == '!') {
                emit(Kind::text, from, open);
                return declaration(open);
            }
            if (next == '?') {
                emit(Kind::text, from, open);
                return instruction(open);
            }
            if (next == '/' && end_ - open > 2) {
                emit(Kind::text, from, open);
                if (is(open[2], alpha)) return tag(open, open + 2, Kind::end_tag);
                if (open[2] != '>') return closed_by_bracket(Kind::comment, open, open + 2);
                emit(Kind::junk, open, open + 3);
                return open + 3;
            }
            at = open + 1;
        }
        emit(Kind::text, from, end_);
        return end_;
    }

    // A construct that ends with the first ">" from `at` on, or with the text.
    const Char* closed_by_bracket(Kind kind, const Char* open, const Char* at) {
        const Char* close = find(at, end_, '>');
        if (close != end_) ++close;
        emit(kind, open, close);
        return close;
    }

    // "<?": a processing instruction or a malformed one, both of which we call comments. What the
    // text's end cuts off is dropped in the first case, since 2026, and kept in the second.
    const Char* instruction(const Char* open) {
        const bool kept = find(open, end_, '>') != end_ || !may_be_instruction(open + 2);
        return closed_by_bracket(kept ? Kind::comment : Kind::junk, open, open + 2);
    }

    bool may_be_instruction(const Char* const target) const {
        const Char* at = target;
        while (at != end_ && (is(*at, alpha) || *at == '_' ||
                              (at != target && ((*at >= '0' && *at <= '9') || *at == '-')))) {
            ++at;
        }
        if (at == end_) return true;
        if (at == target || !(is(*at, space) || *at == '?')) return false;
        const auto length = static_cast<std::size_t>(at - target);
        for (const std::string_view reserved : {"xml", "xml-stylesheet"}) {
            if (length == reserved.size() && follows(target, reserved)) return false;
        }
        return true;
    }

    const Char* declaration(const Char* open) {
        const Char* const at = open + 2;
        if (follows(at, "--")) return comment(open);
        // Even a quoted identifier of a doctype ends at ">".
        if (follows(at, "doctype")) return closed_by_bracket(Kind::doctype, open, at);
        if (starts_cdata(at)) {
            if (const std::uint8_t* hint = hint_at(open)) foreign_ = (*hint & Hint::foreign) != 0;
            if (foreign_) return cdata(open);
        }
        return closed_by_bracket(Kind::comment, open, at);
    }

    const Char* comment(const Char* open) {
        const Char* const data = open + 4;
        const Char* close = find(data, end_, '>');
        while (close != end_) {
            const std::ptrdiff_t length = close - data;
            const bool ends = length == 0 || (length == 1 && data[0] == '-') ||
                              (length >= 2 && close[-1] == '-' && close[-2] == '-') ||
                              (length >= 3 && close[-1] == '!' && close[-2] == '-' && close[-3] == '-');
            ++close;
            if (ends) break;
            close = find(close, end_, '>');
        }
        emit(Kind::comment, open, close);
        return close;
    }

    bool starts_cdata(const Char* at) const {
        constexpr std::string_view wanted = "[CDATA[";
        return static_cast<std::size_t>(end_ - at) >= wanted.size() &&
               std::equal(wanted.begin(), wanted.end(), at,
                          [](char w, Char c) { return c == static_cast<Char>(w); });
    }

    // The brackets give nothing, what they hold is text.
    const Char* cdata(const Char* open) {
        const Char* const data = open + 9;
        emit(Kind::junk, open, data);
        const Char* close = find(data, end_, '>');
        while (close != end_ && !(close - data >= 2 && close[-1] == ']' && close[-2] == ']')) {
            close = find(close + 1, end_, '>');
        }
        if (close == end_) {
            emit(Kind::text, data, end_, Flag::literal);
            return end_;
        }
        emit(Kind::text, data, close - 2, Flag::literal);
        emit(Kind::junk, close - 2, close + 1);
        return close + 1;
    }

    // A tag from "<" or "</" on. One that the text's end cuts off is junk.
    const Char* tag(const Char* open, const Char* name, Kind kind) {
        const std::int32_t first_attribute = attribute_count();
        const Char* at = name;
        while (at != end_ && !is(*at, ends_name)) ++at;
        const Char* const name_end = at;
        bool closes_itself = false;
        for (;;) {
            while (at != end_ && is(*at, space)) ++at;
            if (at == end_) break;
            if (*at == '>') {
                ++at;
                // The standard lets an end tag carry neither attributes nor a slash.
                if (kind == Kind::end_tag) drop_attributes(first_attribute);
                const bool marked = closes_itself && kind == Kind::start_tag;
                push(kind, open, marked ? Flag::self_closing : 0, offset(name_end), first_attribute);
                enter(open, name, name_end, kind, marked);
                return at;
            }
            if (*at == '/') {
                closes_itself = at + 1 != end_ && at[1] == '>';
                ++at;
                continue;
            }
            at = attribute(at);
        }
        drop_attributes(first_attribute);
        emit(Kind::junk, open, end_);
        return end_;
    }

    void drop_attributes(std::int32_t first) {
        out_.attributes.resize(static_cast<std::size_t>(first) * 4);
    }

    // An attribute from its name's first character on, whatever that is.
    const Char* attribute(const Char* at) {
        const Char* const name = at++;
        while (at != end_ && !is(*at, ends_attribute)) ++at;
        const Char* const name_end = at;
        const Char* equals = at;
        while (equals != end_ && is(*equals, space)) ++equals;
        if (equals == end_ || *equals != '=') {
            add_attribute({offset(name), offset(name_end), -1, -1});
            return at;
        }
        at = equals + 1;
        while (at != end_ && is(*at, space)) ++at;
        const Char* value = at;
        if (at != end_ && (*at == '"' || *at == '\'')) {
            ++value;
            at = find(value, end_, static_cast<char>(*at));
            add_attribute({offset(name), offset(name_end), offset(value), offset(at)});
            return at == end_ ? at : at + 1;
        }
        while (at != end_ && !is(*at, ends_bare)) ++at;
        add_attribute({offset(name), offset(name_end), offset(value), offset(at)});
        return at;
    }

    void add_attribute(const std::array<std::int32_t, 4>& columns) {
        out_.attributes.insert(out_.attributes.end(), columns.begin(), columns.end());
    }

    // The hint about what starts at `open`; these come in order, as tokens do.
    const std::uint8_t* hint_at(const Char* open) {
        if (!hints_) return nullptr;
        const auto& starts = hints_->starts;
        while (next_hint_ < starts.size() && starts[next_hint_] < offset(open)) ++next_hint_;
        const bool hinted = next_hint_ < starts.size() && starts[next_hint_] == offset(open);
        return hinted ? &hints_->hints[next_hint_] : nullptr;
    }

    // Decides what follows a tag.
    void enter(const Char* open, const Char* name, const Char* name_end, Kind kind,
               bool closes_itself) {
        bool holds_text = kind == Kind::start_tag;
        if (hints_) {
            const std::uint8_t* const hint = hint_at(open);
            const int foreign = closes_itself ? Hint::foreign : Hint::foreign | Hint::opens_foreign;
            if (hint) foreign_ = (*hint & foreign) != 0;
            holds_text = holds_text && hint && (*hint & Hint::holds_text) != 0;
        }
        content_ = Content::markup;
        if (!holds_text) return;
        const auto length = static_cast<std::size_t>(name_end - name);
        for (const TextElement& element : text_elements) {
            if (element.name.size() == length && follows(name, element.name)) {
                content_ = element.content;
                element_ = element.name;
                return;
            }
        }
    }

    // Whether "</" and the name of the element that we are in stand at `open`, as an end tag.
    bool closes_element(const Char* open) const {
        if (end_ - open < 2 || open[1] != '/' || !follows(open + 2, element_)) return false;
        const Char* const after = open + 2 + element_.size();
        return after != end_ && is(*after, ends_name);
    }

    const Char* end_element(const Char* from, const Char* open, std::uint8_t flags) {
        emit(Kind::text, from, open, flags);
        content_ = Content::markup;
        return open == end_ ? end_ : tag(open, open + 2, Kind::end_tag);
    }

    const Char* raw_text(const Char* from, std::uint8_t flags) {
        const Char* open = find(from, end_, '<');
        while (open != end_ && !closes_element(open)) open = find(open + 1, end_, '<');
        return end_element(from, open, flags);
    }

    const Char* script(const Char* from) {
        const Char* at = from;
        for (;;) {
            const Char* open = find(at, end_, '<');
            if (open == end_ || closes_element(open)) {
                return end_element(from, open, Flag::raw | Flag::literal);
            }
            at = follows(open + 1, "!--") ? escaped_script(open + 4) : open + 1;
        }
    }

    // The part of a script that is in a comment: gives where it ends, which is after "-->" or at
    // the script's end tag. A <script> in it hides the next </script>.
    const Char* escaped_script(const Char* at) {
        bool hidden = false;
        int dashes = 2;  // those of "<!--" count
        while (at != end_) {
            const Char c = *at;
            if (c == '-') {
                ++dashes;
                ++at;
                continue;
            }
            const bool closed = c == '>' && dashes >= 2;
            dashes = 0;
            if (closed) return at + 1;
            if (c != '<') {
                ++at;
                continue;
            }
            if (!hidden && closes_element(at)) return at;
            if (!hidden && names_script(at + 1)) {
                hidden = true;
                at += 8;
            } else if (hidden && at + 1 != end_ && at[1] == '/' && names_script(at + 2)) {
                hidden = false;
                at += 9;
            } else {
                ++at;
            }
        }
        return end_;
    }

    bool names_script(const Char* at) const {
        return follows(at, "script") && end_ - at > 6 && is(at[6], ends_name);
    }

    const Char* const begin_;
    const Char* const end_;
    const Hints* const hints_;
    std::size_t next_hint_ = 0;
    bool foreign_ = false;
    Content content_ = Content::markup;
    std::string_view element_;
    Tokens out_;
};

}  // namespace

template <typename Char>
Tokens tokenize(const Char* text, std::size_t length, const Hints* hints) {
    return Tokenizer<Char>(text, length, hints).run();
}

template <typename Char>
Token token_at(const Char* text, std::size_t length, std::size_t place) {
    return Tokenizer<Char>(text, length, nullptr).run_to(place);
}

template Token token_at(const std::uint8_t*, std::size_t, std::size_t);
template Token token_at(const std::uint16_t*, std::size_t, std::size_t);
template Token token_at(const std::uint32_t*, std::size_t, std::size_t);

template Tokens tokenize(const std::uint8_t*, std::size_t, const Hints*);
template Tokens tokenize(const std::uint16_t*, std::size_t, const Hints*);
template Tokens tokenize(const std::uint32_t*, std::size_t, const Hints*);

}  // namespace rowen::html
