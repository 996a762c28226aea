#include "json_lines.hpp"

#include <charconv>

namespace rowen::json {
namespace {

constexpr char hex[] = "0123456789abcdef";

void append_escape(std::string& out, std::uint32_t code) {
    out += "\\u";
    for (int shift = 12; shift >= 0; shift -= 4) {
        out += hex[(code >> shift) & 15];
    }
}

void append_special(std::string& out, std::uint32_t code) {
    switch (code) {
        case '"': out += "\\\""; break;
        case '\\': out += "\\\\"; break;
        case '\n': out += "\\n"; break;
        case '\r': out += "\\r"; break;
        case '\t': out += "\\t"; break;
        case '\f': out += "\\f"; break;
        case '\b': out += "\\b"; break;
        default: append_escape(out, code);
    }
}

void append_beyond_ascii(std::string& out, std::uint32_t code) {
    const auto tail = [&](int shift) {
        out += static_cast<char>(0x80 | ((code >> shift) & 0x3F));
    };
    if (code < 0x800) {
        out += static_cast<char>(0xC0 | (code >> 6));
    } else if (code >= 0xD800 && code < 0xE000) {
        append_escape(out, code);
        return;
    } else if (code < 0x10000) {
        out += static_cast<char>(0xE0 | (code >> 12));
        tail(6);
    } else {
        out += static_cast<char>(0xF0 | (code >> 18));
        tail(12);
        tail(6);
    }
    tail(0);
}

}  // namespace

template <typename Char>
void append_string(std::string& out, const Char* text, std::size_t length) {
    out += '"';
    for (std::size_t i = 0; i < length; ++i) {
        const std::uint32_t code = text[i];
        if (code >= 0x80) {
            append_beyond_ascii(out, code);
        } else if (code < 0x20 || code == '"' || code == '\\') {
            append_special(out, code);
        } else {
            out += static_cast<char>(code);
        }
    }
    out += '"';
}

template void append_string(std::string&, const std::uint8_t*, std::size_t);
template void append_string(std::string&, const std::uint16_t*, std::size_t);
template void append_string(std::string&, const std::uint32_t*, std::size_t);

template <typename Char>
bool is_doubtful(const Char* text, std::size_t length) {
    bool after_blank = true;  // so that a blank at the start counts
    for (std::size_t i = 0; i < length; ++i) {
        const std::uint32_t code = text[i];
        if (code == ' ') {
            if (after_blank) {
                return true;
            }
            after_blank = true;
            continue;
        }
        after_blank = false;
        if (code < 0x20 || code == '<' || code == '>' || code == '&' || code == '\\') {
            return true;
        }
        if (code >= 0x7F &&
            (code <= 0xA0 || code == 0xAD || code == 0x061C || code == 0x1680 || code == 0x180E ||
             (code >= 0x2000 && code <= 0x200F) || (code >= 0x2028 && code <= 0x202F) ||
             (code >= 0x205F && code <= 0x206F) || code == 0x3000 || code == 0xFEFF)) {
            return true;
        }
    }
    return after_blank && length > 0;
}

template bool is_doubtful(const std::uint8_t*, std::size_t);
template bool is_doubtful(const std::uint16_t*, std::size_t);
template bool is_doubtful(const std::uint32_t*, std::size_t);

void append_number(std::string& out, std::size_t number) {
    char digits[20];
    const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
    out.append(digits, end);
}

namespace {

// A cursor in a line. Each `read` returns false where the line is not as usual.
struct Line {
    const char* at;
    const char* end;

    void skip_space() {
        while (at < end && (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r')) {
            ++at;
        }
    }

    bool read(char expected) {
        skip_space();
        if (at == end || *at != expected) {
            return false;
        }
        ++at;
        return true;
    }

    bool read_hex(unsigned& code) {
        if (end - at < 4) {
            return false;
        }
        code = 0;
        for (int i = 0; i < 4; ++i) {
            const char c = *at++;
            const int digit = c >= '0' && c <= '9'   ? c - '0'
                              : c >= 'a' && c <= 'f' ? c - 'a' + 10
                              : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                     : -1;
            if (digit < 0) {
                return false;
            }
            code = code * 16 + static_cast<unsigned>(digit);
        }
        return true;
    }

    bool read_escape(std::string& out) {
        if (at == end) {
            return false;
        }
        unsigned code = 0;
        switch (*at++) {
            case '"': out += '"'; return true;
            case '\\': out += '\\'; return true;
            case '/': out += '/'; return true;
            case 'b': out += '\b'; return true;
            case 'f': out += '\f'; return true;
            case 'n': out += '\n'; return true;
            case 'r': out += '\r'; return true;
            case 't': out += '\t'; return true;
            case 'u': break;
            default: return false;
        }
        if (!read_hex(code) || (code >= 0xD800 && code <= 0xDFFF)) {
            return false;
        }
        if (code < 0x80) {
            out += static_cast<char>(code);
        } else if (code < 0x800) {
            out += static_cast<char>(0xC0 | (code >> 6));
            out += static_cast<char>(0x80 | (code & 0x3F));
        } else {
            out += static_cast<char>(0xE0 | (code >> 12));
            out += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
            out += static_cast<char>(0x80 | (code & 0x3F));
        }
        return true;
    }

    bool read_string(std::string& out) {
        if (!read('"')) {
            return false;
        }
        out.clear();
        while (true) {
            const char* const start = at;
            while (at < end && *at != '"' && *at != '\\' &&
                   static_cast<unsigned char>(*at) >= 0x20) {
                ++at;
            }
            out.append(start, static_cast<std::size_t>(at - start));
            if (at == end) {
                return false;
            }
            const char stop = *at++;
            if (stop == '"') {
                return true;
            }
            if (stop != '\\' || !read_escape(out)) {
                return false;
            }
        }
    }
};

}  // namespace

bool read_page_line(const char* data, std::size_t length, PageLine& page) {
    Line line{data, data + length};
    std::string key;
    bool has_id = false;
    bool has_text = false;
    if (!line.read('{')) {
        return false;
    }
    for (int member = 0; member < 2; ++member) {
        if ((member && !line.read(',')) || !line.read_string(key) || !line.read(':')) {
            return false;
        }
        bool& has = key == "id" ? has_id : has_text;
        if (has || (key != "id" && key != "text")) {
            return false;
        }
        has = true;
        if (!line.read_string(key == "id" ? page.id : page.text)) {
            return false;
        }
    }
    if (!line.read('}')) {
        return false;
    }
    line.skip_space();
    return line.at == line.end;
}

}  // namespace rowen::json
