#include "data_scan.hpp"

#include <string_view>
#include <utility>

namespace rowen::data {
namespace {

// Thrown and caught in this file: a scan ends early in many places.
struct Stop {
    Outcome outcome;
};

template <typename Char>
class Scanner {
  public:
    Scanner(const Char* text, std::size_t start, std::size_t end, std::size_t depth,
            std::size_t most)
        : text_(text), at_(start), end_(end), depth_(depth), most_(most) {}

    Nodes run() {
        try {
            value(-1, -1, 0);
            while (!open_.empty()) member();
        } catch (const Stop& stop) {
            nodes_ = Nodes{};
            nodes_.outcome = stop.outcome;
        }
        nodes_.stop = static_cast<std::int32_t>(at_);
        return std::move(nodes_);
    }

  private:
    static constexpr std::uint32_t NONE = 0xFFFFFFFF;  // no character: the end

    std::uint32_t peek(std::size_t ahead = 0) const {
        return at_ + ahead < end_ ? static_cast<std::uint32_t>(text_[at_ + ahead]) : NONE;
    }

    static bool is_blank(std::uint32_t c) {
        return c == ' ' || (c >= '\t' && c <= '\r') || c == 0xA0 || c == 0xFEFF || c == 0x2028 ||
               c == 0x2029;
    }

    static bool is_digit(std::uint32_t c) { return c >= '0' && c <= '9'; }

    static bool is_word(std::uint32_t c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' ||
               c == '$' || (c > 0x7F && c != NONE && !is_blank(c));
    }

    static bool ends_value(std::uint32_t c) { return c == ',' || c == ']' || c == '}'; }

    [[noreturn]] static void malformed() { throw Stop{Outcome::malformed}; }

    // Over white space and comments.
    void blank() {
        for (;;) {
            while (at_ < end_ && is_blank(peek())) ++at_;
            if (peek() != '/') return;
            if (peek(1) == '/') {
                while (at_ < end_ && peek() != '\n' && peek() != '\r') ++at_;
            } else if (peek(1) == '*') {
                at_ += 2;
                while (at_ < end_ && !(peek() == '*' && peek(1) == '/')) ++at_;
                if (at_ == end_) malformed();
                at_ += 2;
            } else {
                return;
            }
        }
    }

    std::int32_t add(Kind kind, std::size_t start, std::size_t end, std::uint8_t flags) {
        const std::size_t number = nodes_.kinds.size();
        if (number >= most_) throw Stop{Outcome::too_many};
        nodes_.kinds.push_back(static_cast<std::uint8_t>(kind));
        nodes_.flags.push_back(flags);
        nodes_.starts.push_back(static_cast<std::int32_t>(start));
        nodes_.ends.push_back(static_cast<std::int32_t>(end));
        nodes_.key_starts.push_back(key_start_);
        nodes_.key_ends.push_back(key_end_);
        nodes_.parents.push_back(open_.empty() ? -1 : open_.back());
        nodes_.afters.push_back(static_cast<std::int32_t>(number + 1));
        return static_cast<std::int32_t>(number);
    }

    // Over a string whose opening quote is here; whether there is a backslash in it.
    bool string() {
        const std::uint32_t quote = peek();
        bool escaped = false;
        for (++at_; at_ < end_; ++at_) {
            const std::uint32_t c = peek();
            if (c == quote) {
                ++at_;
                return escaped;
            }
            if (c == '\\') {
                escaped = true;
                if (++at_ == end_) break;
            } else if (c == '\n' && quote == '\'') {
                // Scripts can't have it, and an apostrophe in code that was misread ends here.
                malformed();
            }
        }
        malformed();
    }

    // A value with a key or none; a container is opened, anything else is passed.
    void value(std::int32_t key_start, std::int32_t key_end, std::uint8_t flags) {
        key_start_ = key_start;
        key_end_ = key_end;
        blank();
        const std::size_t start = at_;
        const std::uint32_t c = peek();
        if (c == '{' || c == '[') {
            if (open_.size() >= depth_) throw Stop{Outcome::too_deep};
            open_.push_back(add(c == '{' ? Kind::object : Kind::array, start, start, flags));
            filled_ = false;
            ++at_;
            return;
        }
        std::int32_t node = 0;
        if (c == '"' || c == '\'' || c == '`') {
            if (string()) flags |= ESCAPED;
            const std::size_t end = at_ - 1;
            const bool computed = c == '`' && has_placeholder(start + 1, end);
            node = computed ? add(Kind::other, start, at_, flags)
                            : add(Kind::string, start + 1, end, flags);
        } else {
            const Kind kind = scalar();
            if (kind == Kind::other && open_.empty()) malformed();  // no data at all
            node = add(kind, start, at_, flags);
        }
        settle(node, start);
    }

    bool has_placeholder(std::size_t start, std::size_t end) const {
        for (std::size_t i = start; i + 1 < end; ++i) {
            if (text_[i] == '$' && text_[i + 1] == '{') return true;
        }
        return false;
    }

    // Over a number or a word; nothing is passed where neither is here.
    Kind scalar() {
        const std::uint32_t c = peek();
        if (c == '!' && (peek(1) == '0' || peek(1) == '1') && !is_word(peek(2))) {
            at_ += 2;
            return Kind::boolean;
        }
        if (is_digit(c) || ((c == '-' || c == '+') && (is_digit(peek(1)) || peek(1) == '.')) ||
            (c == '.' && is_digit(peek(1)))) {
            return number();
        }
        if (c == NONE || ends_value(c)) malformed();
        const std::size_t start = at_;
        while (is_word(peek())) ++at_;
        if (same(start, "true") || same(start, "false")) return Kind::boolean;
        if (same(start, "null") || same(start, "undefined")) return Kind::nothing;
        if (same(start, "void") && peek() == ' ' && peek(1) == '0' && !is_word(peek(2))) {
            at_ += 2;
            return Kind::nothing;
        }
        return Kind::other;
    }

    bool same(std::size_t start, std::string_view word) const {
        if (at_ - start != word.size()) return false;
        for (std::size_t i = 0; i < word.size(); ++i) {
            if (text_[start + i] != static_cast<Char>(word[i])) return false;
        }
        return true;
    }

    Kind number() {
        if (peek() == '-' || peek() == '+') ++at_;
        std::size_t digits = 0;
        for (; is_digit(peek()); ++at_) ++digits;
        if (peek() == '.') {
            ++at_;
            for (; is_digit(peek()); ++at_) ++digits;
        }
        if (digits && (peek() == 'e' || peek() == 'E')) {
            const std::size_t sign = peek(1) == '-' || peek(1) == '+';
            if (is_digit(peek(1 + sign))) {
                at_ += 1 + sign;
                while (is_digit(peek())) ++at_;
            }
        }
        // `0x1F` and `12n` are rare enough to count as expressions.
        const bool whole = digits && !is_word(peek());
        while (is_word(peek())) ++at_;
        return whole ? Kind::number : Kind::other;
    }

    // After a value in a container: where an expression goes on, all of it is something else.
    void settle(std::int32_t node, std::size_t start) {
        filled_ = true;
        if (open_.empty()) return;
        const auto index = static_cast<std::size_t>(node);
        const std::size_t end = at_;
        blank();
        if (ends_value(peek())) return;
        forget_after(index + 1);
        nodes_.kinds[index] = static_cast<std::uint8_t>(Kind::other);
        nodes_.starts[index] = static_cast<std::int32_t>(start);
        nodes_.ends[index] = static_cast<std::int32_t>(expression(end));
        nodes_.afters[index] = node + 1;
    }

    void forget_after(std::size_t size) {
        nodes_.kinds.resize(size);
        nodes_.flags.resize(size);
        nodes_.starts.resize(size);
        nodes_.ends.resize(size);
        nodes_.key_starts.resize(size);
        nodes_.key_ends.resize(size);
        nodes_.parents.resize(size);
        nodes_.afters.resize(size);
    }

    // Over the rest of an expression, to the comma or bracket that ends it; returns its end.
    std::size_t expression(std::size_t last) {
        brackets_.clear();
        std::uint32_t before = last > 0 ? static_cast<std::uint32_t>(text_[last - 1]) : NONE;
        for (;;) {
            blank();
            const std::uint32_t c = peek();
            if (c == NONE) malformed();
            if (brackets_.empty() && (ends_value(c) || c == ';' || c == ')')) {
                if (!ends_value(c)) malformed();
                return last;
            }
            if (c == '(' || c == '[' || c == '{') {
                if (brackets_.size() >= depth_) throw Stop{Outcome::too_deep};
                brackets_.push_back(c == '(' ? ')' : c == '[' ? ']' : '}');
                ++at_;
            } else if (c == ')' || c == ']' || c == '}') {
                if (brackets_.back() != static_cast<char>(c)) malformed();
                brackets_.pop_back();
                ++at_;
            } else if (c == '"' || c == '\'' || c == '`') {
                string();
            } else if (c == '/' && !is_word(before) && before != ')' && before != ']') {
                regular_expression();
            } else {
                ++at_;
            }
            before = c;
            last = at_;
        }
    }

    void regular_expression() {
        bool in_class = false;
        for (++at_; at_ < end_; ++at_) {
            const std::uint32_t c = peek();
            if (c == '\n' || c == '\r') break;
            if (c == '\\') {
                if (++at_ == end_) break;
            } else if (c == '[') {
                in_class = true;
            } else if (c == ']') {
                in_class = false;
            } else if (c == '/' && !in_class) {
                ++at_;
                return;
            }
        }
        malformed();
    }

    // The next member of the innermost container, or its end.
    void member() {
        const std::int32_t container = open_.back();
        const bool object =
            nodes_.kinds[static_cast<std::size_t>(container)] ==
            static_cast<std::uint8_t>(Kind::object);
        blank();
        const std::uint32_t c = peek();
        if (c == (object ? '}' : ']')) {
            close(container);
        } else if (c == ',') {
            if (!object && !filled_) hole();
            filled_ = false;
            ++at_;
        } else if (object) {
            property();
        } else {
            value(-1, -1, 0);
        }
    }

    // `[1,,2]`: a comma without a value before it.
    void hole() {
        key_start_ = key_end_ = -1;
        add(Kind::nothing, at_, at_, 0);
    }

    void property() {
        const std::uint32_t c = peek();
        std::size_t start = at_;
        std::size_t end = at_;
        std::uint8_t flags = 0;
        if (c == '"' || c == '\'') {
            if (string()) flags = KEY_ESCAPED;
            ++start;
            end = at_ - 1;
        } else if (is_word(c)) {
            while (is_word(peek())) ++at_;
            end = at_;
        } else if (c == '.' && peek(1) == '.' && peek(2) == '.') {
            at_ += 3;
            expression(at_);
            return;
        } else {
            malformed();
        }
        const std::size_t after = at_;
        blank();
        const auto key_start = static_cast<std::int32_t>(start);
        const auto key_end = static_cast<std::int32_t>(end);
        if (peek() == ':') {
            ++at_;
            value(key_start, key_end, flags);
            return;
        }
        // `{name, run() {..}}`: a property without a value here.
        key_start_ = key_start;
        key_end_ = key_end;
        const auto node = static_cast<std::size_t>(add(Kind::other, start, end, flags));
        if (!ends_value(peek())) {
            nodes_.ends[node] = static_cast<std::int32_t>(expression(after));
        }
    }

    void close(std::int32_t container) {
        ++at_;
        open_.pop_back();
        const auto index = static_cast<std::size_t>(container);
        nodes_.ends[index] = static_cast<std::int32_t>(at_);
        nodes_.afters[index] = static_cast<std::int32_t>(nodes_.kinds.size());
        settle(container, static_cast<std::size_t>(nodes_.starts[index]));
    }

    const Char* text_;
    std::size_t at_;
    std::size_t end_;
    std::size_t depth_;
    std::size_t most_;
    std::int32_t key_start_ = -1;
    std::int32_t key_end_ = -1;
    bool filled_ = false;  // whether a value came since the last comma
    Nodes nodes_;
    std::vector<std::int32_t> open_;
    std::vector<char> brackets_;
};

}  // namespace

template <typename Char>
Nodes scan(const Char* text, std::size_t start, std::size_t end, std::size_t depth,
           std::size_t most) {
    return Scanner<Char>(text, start, end, depth, most).run();
}

template Nodes scan(const std::uint8_t*, std::size_t, std::size_t, std::size_t, std::size_t);
template Nodes scan(const std::uint16_t*, std::size_t, std::size_t, std::size_t, std::size_t);
template Nodes scan(const std::uint32_t*, std::size_t, std::size_t, std::size_t, std::size_t);

}  // namespace rowen::data
