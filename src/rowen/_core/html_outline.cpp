#include "html_outline.hpp"

#include <utility>

namespace rowen::html {
namespace {

constexpr std::uint64_t basis = 0xCBF29CE484222325;

// One step of a hash over code points; strong enough for pages, not for adversaries, who could at
// the most make a wrapper match where it should not.
constexpr std::uint64_t mix(std::uint64_t hash, std::uint64_t code) {
    hash = (hash ^ code) * 0x9E3779B97F4A7C15;
    return hash ^ (hash >> 29);
}

template <typename Char>
std::pair<std::size_t, std::size_t> trim(const Char* text, std::size_t start, std::size_t end) {
    while (start < end && is_space(text[start])) ++start;
    while (end > start && is_space(text[end - 1])) --end;
    return {start, end};
}

template <typename Char>
std::uint64_t trimmed_digest(const Char* text, std::size_t start, std::size_t end) {
    if (start == end) return 0;
    std::uint64_t hash = basis;
    bool space = false;
    for (std::size_t i = start; i < end; ++i) {
        const std::uint32_t code = text[i];
        if (is_space(code)) {
            space = true;
            continue;
        }
        if (space) hash = mix(hash, ' ');
        space = false;
        hash = mix(hash, code);
    }
    return hash | 1;  // never that of an empty text
}

// Elements as the tags themselves nest, with the ends that HTML allows to leave out. Not the tree
// that a browser builds, which moves things about, but one that follows the source.
class Nesting {
public:
    Nesting(std::vector<std::int32_t>& parents, std::vector<std::int32_t>& closes)
        : parents_(parents), closes_(closes), open_{0} {
        for (const char* name : {"area", "base", "br", "col", "embed", "hr", "img", "input", "link",
                                 "meta", "param", "source", "track", "wbr"}) {
            empty_.push_back(digest(name));
        }
        for (const char* name : {"li", "dt", "dd", "tr", "td", "th", "option", "p", "thead", "tbody"}) {
            siblings_.push_back(digest(name));
        }
    }

    void tag(std::int32_t index, std::uint64_t name, bool closed) {
        const bool end = name >> 63;
        if (end) {
            close(index, ~name);
        } else if (!siblings_.empty() && is_in(siblings_, name) && names_.size() && names_.back() == name) {
            pop(index);
        }
        parents_.push_back(open_.back());
        closes_.push_back(index + 1);
        if (end || closed || name < 16 || is_in(empty_, name)) return;
        open_.push_back(index);
        names_.push_back(name);
    }

    void finish(std::int32_t count) {
        while (names_.size()) pop(count);
        closes_[0] = count;
    }

private:
    static std::uint64_t digest(const char* name) {
        std::size_t length = 0;
        while (name[length]) ++length;
        return name_digest(reinterpret_cast<const std::uint8_t*>(name), length);
    }

    static bool is_in(const std::vector<std::uint64_t>& names, std::uint64_t name) {
        for (const auto one : names) {
            if (one == name) return true;
        }
        return false;
    }

    void close(std::int32_t index, std::uint64_t name) {
        constexpr std::size_t reach = 64;  // keeps hostile pages linear
        const auto depth = names_.size();
        for (std::size_t up = 1; up <= depth && up <= reach; ++up) {
            if (names_[depth - up] != name) continue;
            for (std::size_t i = 0; i < up; ++i) pop(index);
            return;
        }
    }

    void pop(std::int32_t index) {
        closes_[static_cast<std::size_t>(open_.back())] = index;
        open_.pop_back();
        names_.pop_back();
    }

    std::vector<std::int32_t>& parents_;
    std::vector<std::int32_t>& closes_;
    std::vector<std::int32_t> open_;
    std::vector<std::uint64_t> names_;
    std::vector<std::uint64_t> empty_;
    std::vector<std::uint64_t> siblings_;
};

template <typename Char>
class Writer {
public:
    Writer(const Char* text, std::size_t length) : text_(text), tokens_(tokenize(text, length, nullptr)) {}

    Outline write() {
        Nesting nesting(out_.parents, out_.closes);
        add_tag(0, 0, 0, 0);
        out_.parents.push_back(0);
        out_.closes.push_back(0);
        const auto count = tokens_.kinds.size();
        reserve(count + 1);
        for (std::size_t i = 0; i < count; ++i) {
            const auto kind = static_cast<Kind>(tokens_.kinds[i]);
            if (kind == Kind::text || kind == Kind::junk) continue;
            const auto start = tokens_.bounds[i];
            const auto end = tokens_.bounds[i + 1];
            close_slot(start);
            const auto index = static_cast<std::int32_t>(out_.names.size());
            add_tag(digest_of(kind, i, start), start, end, tokens_.attributes_from[i]);
            nesting.tag(index, out_.names.back(), tokens_.flags[i] & self_closing);
        }
        close_slot(tokens_.bounds.back());
        nesting.finish(static_cast<std::int32_t>(out_.names.size()));
        out_.attributes_from.push_back(tokens_.attributes_from.back());
        out_.attributes = std::move(tokens_.attributes);
        return std::move(out_);
    }

private:
    std::uint64_t digest_of(Kind kind, std::size_t token, std::int32_t start) const {
        if (kind == Kind::comment) return 3;
        if (kind == Kind::doctype) return 5;
        const auto from = static_cast<std::size_t>(start) + (kind == Kind::end_tag ? 2 : 1);
        const auto name = name_digest(text_ + from, static_cast<std::size_t>(tokens_.name_ends[token]) - from);
        return kind == Kind::end_tag ? ~name : name;
    }

    void reserve(std::size_t count) {
        out_.names.reserve(count);
        for (auto* column : {&out_.starts, &out_.ends, &out_.slot_starts, &out_.slot_ends, &out_.parents,
                             &out_.closes, &out_.attributes_from}) {
            column->reserve(count + 1);
        }
    }

    void add_tag(std::uint64_t name, std::int32_t start, std::int32_t end, std::int32_t attributes_from) {
        out_.names.push_back(name);
        out_.starts.push_back(start);
        out_.ends.push_back(end);
        out_.attributes_from.push_back(attributes_from);
    }

    void close_slot(std::int32_t end) {
        const auto [from, to] = trim(text_, static_cast<std::size_t>(out_.ends.back()), static_cast<std::size_t>(end));
        out_.slot_starts.push_back(static_cast<std::int32_t>(from));
        out_.slot_ends.push_back(static_cast<std::int32_t>(to));
    }

    const Char* text_;
    Tokens tokens_;
    Outline out_;
};

}  // namespace

template <typename Char>
std::uint64_t name_digest(const Char* text, std::size_t length) {
    std::uint64_t hash = basis;
    for (std::size_t i = 0; i < length; ++i) {
        std::uint32_t code = text[i];
        if (code >= 'A' && code <= 'Z') code += 'a' - 'A';
        hash = mix(hash, code);
    }
    return (hash | 1) & 0x7FFFFFFFFFFFFFFF;  // the top bit tells end tags
}

template <typename Char>
std::uint64_t text_digest(const Char* text, std::size_t length) {
    const auto [from, to] = trim(text, std::size_t{0}, length);
    return trimmed_digest(text, from, to);
}

template <typename Char>
Outline outline(const Char* text, std::size_t length) {
    return Writer<Char>(text, length).write();
}

template <typename Char>
Digests digests(const Char* text, const Outline& outline) {
    Digests out;
    const auto part = [text](std::int32_t start, std::int32_t end) {
        return text_digest(text + start, static_cast<std::size_t>(end - start));
    };
    for (std::size_t i = 0; i < outline.names.size(); ++i) {
        out.slots.push_back(part(outline.slot_starts[i], outline.slot_ends[i]));
    }
    for (std::size_t i = 0; i < outline.attributes.size(); i += 4) {
        const std::int32_t* const bounds = &outline.attributes[i];
        out.attribute_names.push_back(
            name_digest(text + bounds[0], static_cast<std::size_t>(bounds[1] - bounds[0])));
        out.attribute_values.push_back(bounds[2] < 0 ? 0 : part(bounds[2], bounds[3]));
    }
    return out;
}

template Digests digests(const std::uint8_t*, const Outline&);
template Digests digests(const std::uint16_t*, const Outline&);
template Digests digests(const std::uint32_t*, const Outline&);
template Outline outline(const std::uint8_t*, std::size_t);
template Outline outline(const std::uint16_t*, std::size_t);
template Outline outline(const std::uint32_t*, std::size_t);
template std::uint64_t name_digest(const std::uint8_t*, std::size_t);
template std::uint64_t name_digest(const std::uint16_t*, std::size_t);
template std::uint64_t name_digest(const std::uint32_t*, std::size_t);
template std::uint64_t text_digest(const std::uint8_t*, std::size_t);
template std::uint64_t text_digest(const std::uint16_t*, std::size_t);
template std::uint64_t text_digest(const std::uint32_t*, std::size_t);

}  // namespace rowen::html
