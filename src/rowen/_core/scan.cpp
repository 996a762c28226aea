#include "scan.hpp"

#include <string.h>

#include <algorithm>

namespace rowen::scan {
namespace {

constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

struct Text {
    const char* data;
    std::size_t length;  // in characters
    std::size_t width;
};

// The first place at or after `from`, in characters, that ends at or before `until`.
std::size_t find(const Text& text, const Needle& needle, std::size_t from, std::size_t until) {
    if (!needle.possible || from > until) {
        return nowhere;
    }
    if (needle.bytes.size() > (until - from) * text.width) {
        return nowhere;
    }
    if (needle.bytes.empty()) {
        return from;  // and an empty text may have no memory to search in
    }
    const char* const end = text.data + until * text.width;
    const char* at = text.data + from * text.width;
    while (true) {
        const void* hit = memmem(at, static_cast<std::size_t>(end - at), needle.bytes.data(),
                                 needle.bytes.size());
        if (hit == nullptr) {
            return nowhere;
        }
        const auto offset = static_cast<std::size_t>(static_cast<const char*>(hit) - text.data);
        if (offset % text.width == 0) {
            return offset / text.width;
        }
        at = static_cast<const char*>(hit) + 1;  // bytes of two neighbours: no occurrence
    }
}

std::size_t find(const Text& text, const Needle& needle, std::size_t from) {
    return find(text, needle, from, text.length);
}

// Whether the tail starts at or before a place; what was searched once is not searched again.
class Tail {
  public:
    Tail(const Text& text, const Needle& needle)
        : text_(text), needle_(needle), size_(needle.bytes.size() / text.width) {}

    bool starts_by(std::size_t place, std::size_t cursor) {
        if (!needle_.given) {
            return false;
        }
        const std::size_t from = std::max(cursor, searched_);
        searched_ = std::max(searched_, place + 1);
        return find(text_, needle_, from, std::min(text_.length, place + size_)) != nowhere;
    }

  private:
    const Text& text_;
    const Needle& needle_;
    std::size_t size_;
    std::size_t searched_ = 0;  // no tail starts between the cursor and this
};

}  // namespace

Found scan(const char* data, std::size_t length, std::size_t width, const Delimiters& delimiters) {
    const Text text{data, length, width};
    Found found;
    const auto fail = [&](Missing missing, std::size_t field) {
        found.missing = missing;
        found.field = field;
        const std::size_t row = 2 * delimiters.left.size();
        found.bounds.resize(found.bounds.size() / row * row);
        return found;
    };
    std::size_t cursor = 0;
    if (delimiters.head.given) {
        cursor = find(text, delimiters.head, 0);
        if (cursor == nowhere) {
            return fail(Missing::head, 0);
        }
    }
    const bool opened = delimiters.open.given;
    const Needle& first = opened ? delimiters.open : delimiters.left.front();
    Tail tail(text, delimiters.tail);
    while (true) {
        const std::size_t start = find(text, first, cursor);
        if (start == nowhere || tail.starts_by(start, cursor)) {
            return found;
        }
        cursor = start;
        for (std::size_t k = 0; k < delimiters.left.size(); ++k) {
            const Needle& left = delimiters.left[k];
            const bool known = k == 0 && !opened;
            const std::size_t at = known ? start : find(text, left, cursor);
            if (at == nowhere) {
                return fail(Missing::left, k);
            }
            const std::size_t begin = at + left.bytes.size() / width;
            cursor = find(text, delimiters.right[k], begin);
            if (cursor == nowhere) {
                return fail(Missing::right, k);
            }
            found.bounds.push_back(begin);
            found.bounds.push_back(cursor);
        }
        if (delimiters.close.given) {
            cursor = find(text, delimiters.close, cursor);
            if (cursor == nowhere) {
                return fail(Missing::close, 0);
            }
        }
    }
}

}  // namespace rowen::scan
