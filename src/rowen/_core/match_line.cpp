// UD: Myers' line diff in linear space, with regions extended by characters.
#include <algorithm>
#include <cstring>
#include <utility>

#include "match.hpp"

namespace rowen::match {
namespace {

using Size = std::size_t;
using Ints = std::vector<std::int32_t>;

// From so many insertions and deletions on, a script need not be the shortest one: the work for a
// line is then at most a multiple of this.
constexpr std::int32_t most_edits = 256;

// Where each line starts; a line has its newline. The last start is the text's end.
template <typename Char>
std::vector<Size> line_starts(Text<Char> text) {
    std::vector<Size> starts;
    Size at = 0;
    while (at < text.size) {
        starts.push_back(at);
        if constexpr (sizeof(Char) == 1) {
            const void* const end = std::memchr(text.data + at, '\n', text.size - at);
            at = end ? static_cast<Size>(static_cast<const Char*>(end) - text.data) + 1 : text.size;
        } else {
            at = static_cast<Size>(std::find(text.data + at, text.data + text.size, Char{'\n'}) -
                                   text.data);
            at += at < text.size ? 1 : 0;
        }
    }
    starts.push_back(text.size);
    return starts;
}

std::uint64_t mix(const char* bytes, Size size) {
    std::uint64_t sum = size;
    const auto add = [&](const char* from, Size count) {
        std::uint64_t word = 0;
        std::memcpy(&word, from, count);
        sum = (sum ^ word) * 0x9E3779B97F4A7C15;
        sum ^= sum >> 32;
    };
    Size at = 0;
    for (; at + 8 <= size; at += 8) {
        add(bytes + at, 8);
    }
    add(bytes + at, size - at);
    return sum * 0xD6E8FEB86659FD93;
}

// Numbers for lines, the same for the same text.
template <typename Char>
class Names {
  public:
    explicit Names(Size lines) {
        while ((Size{1} << bits_) < 2 * lines) {
            ++bits_;
        }
        slots_.assign(Size{1} << bits_, -1);
        lines_.reserve(lines);
    }

    std::int32_t name(const Char* line, Size size) {
        const auto* const bytes = reinterpret_cast<const char*>(line);
        const std::uint64_t mixed = mix(bytes, size * sizeof(Char));
        for (Size slot = mixed >> (64 - bits_);; slot = (slot + 1) & (slots_.size() - 1)) {
            std::int32_t& number = slots_[slot];
            if (number < 0) {
                number = static_cast<std::int32_t>(lines_.size());
                lines_.push_back({mixed, line, size});
                return number;
            }
            const Line& known = lines_[number];
            if (known.mixed == mixed && known.size == size &&
                std::memcmp(known.text, line, size * sizeof(Char)) == 0) {
                return number;
            }
        }
    }

    Size count() const { return lines_.size(); }

  private:
    struct Line {
        std::uint64_t mixed;
        const Char* text;
        Size size;
    };
    int bits_ = 4;
    Ints slots_;
    std::vector<Line> lines_;
};

// Lines that may be in both pages: their names and their numbers in the page.
struct Sequence {
    Ints names, lines;
    std::vector<std::uint8_t> changed;
};

// Myers' shortest edit script: divide where the furthest ways from both ends meet, and go on with
// both halves. Marks the lines that are not common.
class Script {
  public:
    Script(Sequence& a, Sequence& b)
        : a_(a), b_(b), shift_(static_cast<std::int32_t>(b.names.size()) + 1),
          forward_(a.names.size() + b.names.size() + 3), backward_(forward_.size()) {}

    void mark() {
        std::vector<Box> open{{0, static_cast<std::int32_t>(a_.names.size()), 0,
                               static_cast<std::int32_t>(b_.names.size()), false}};
        while (!open.empty()) {
            Box box = open.back();
            open.pop_back();
            shrink(box);
            if (box.left == box.right || box.top == box.bottom) {
                std::fill(a_.changed.begin() + box.left, a_.changed.begin() + box.right, 1);
                std::fill(b_.changed.begin() + box.top, b_.changed.begin() + box.bottom, 1);
                continue;
            }
            const Cut cut = divide(box);
            open.push_back({box.left, cut.x, box.top, cut.y, cut.first_short});
            open.push_back({cut.x, box.right, cut.y, box.bottom, cut.second_short});
        }
    }

  private:
    // Lines left..right of one page and top..bottom of the other; `is_short`: the shortest script
    // between them is known to have few edits.
    struct Box {
        std::int32_t left, right, top, bottom;
        bool is_short;
    };
    struct Cut {
        std::int32_t x, y;
        bool first_short, second_short;
    };

    bool same(std::int32_t x, std::int32_t y) const { return a_.names[x] == b_.names[y]; }

    void shrink(Box& box) const {
        while (box.left < box.right && box.top < box.bottom && same(box.left, box.top)) {
            ++box.left;
            ++box.top;
        }
        while (box.left < box.right && box.top < box.bottom &&
               same(box.right - 1, box.bottom - 1)) {
            --box.right;
            --box.bottom;
        }
    }

    // Diagonals are named by x - y. The furthest x on each after some edits, from either end:
    std::int32_t& forward(std::int32_t diagonal) { return forward_[diagonal + shift_]; }
    std::int32_t& backward(std::int32_t diagonal) { return backward_[diagonal + shift_]; }

    Cut divide(const Box& box) {
        const std::int32_t lowest = box.left - box.bottom;
        const std::int32_t highest = box.right - box.top;
        const std::int32_t begin = box.left - box.top;
        const std::int32_t end = box.right - box.bottom;
        const bool odd = ((begin - end) & 1) != 0;
        std::int32_t forward_low = begin;
        std::int32_t forward_high = begin;
        std::int32_t backward_low = end;
        std::int32_t backward_high = end;
        forward(begin) = box.left;
        backward(end) = box.right;
        for (std::int32_t edits = 1;; ++edits) {
            if (forward_low > lowest) {
                forward(--forward_low - 1) = -1;
            } else {
                ++forward_low;
            }
            if (forward_high < highest) {
                forward(++forward_high + 1) = -1;
            } else {
                --forward_high;
            }
            for (std::int32_t d = forward_high; d >= forward_low; d -= 2) {
                std::int32_t x = std::max(forward(d - 1) + 1, forward(d + 1));
                while (x < box.right && x - d < box.bottom && same(x, x - d)) {
                    ++x;
                }
                forward(d) = x;
                if (odd && backward_low <= d && d <= backward_high && backward(d) <= x) {
                    return {x, x - d, true, true};
                }
            }
            if (backward_low > lowest) {
                backward(--backward_low - 1) = never;
            } else {
                ++backward_low;
            }
            if (backward_high < highest) {
                backward(++backward_high + 1) = never;
            } else {
                --backward_high;
            }
            for (std::int32_t d = backward_high; d >= backward_low; d -= 2) {
                std::int32_t x = std::min(backward(d - 1), backward(d + 1) - 1);
                while (x > box.left && x - d > box.top && same(x - 1, x - d - 1)) {
                    --x;
                }
                backward(d) = x;
                if (!odd && forward_low <= d && d <= forward_high && x <= forward(d)) {
                    return {x, x - d, true, true};
                }
            }
            if (edits >= most_edits && !box.is_short) {
                return settle(box, forward_low, forward_high, backward_low, backward_high);
            }
        }
    }

    // The furthest of all ways from either end, as GNU diff does.
    Cut settle(const Box& box, std::int32_t forward_low, std::int32_t forward_high,
               std::int32_t backward_low, std::int32_t backward_high) {
        Cut from_begin{box.left, box.top, true, false};
        for (std::int32_t d = forward_high; d >= forward_low; d -= 2) {
            const std::int32_t x = std::min({forward(d), box.right, box.bottom + d});
            if (x + x - d > from_begin.x + from_begin.y) {
                from_begin = {x, x - d, true, false};
            }
        }
        Cut from_end{box.right, box.bottom, false, true};
        for (std::int32_t d = backward_high; d >= backward_low; d -= 2) {
            const std::int32_t x = std::max({backward(d), box.left, box.top + d});
            if (x + x - d < from_end.x + from_end.y) {
                from_end = {x, x - d, false, true};
            }
        }
        const std::int32_t gone = from_begin.x + from_begin.y - box.left - box.top;
        const std::int32_t come = box.right + box.bottom - from_end.x - from_end.y;
        return gone >= come ? from_begin : from_end;
    }

    static constexpr std::int32_t never = 0x7FFFFFFF;
    Sequence& a_;
    Sequence& b_;
    std::int32_t shift_;
    Ints forward_, backward_;
};

// The lines in [from, until) whose names the other page has, too.
Sequence candidates(const Ints& names, Size from, Size until, const std::vector<std::uint8_t>& other) {
    Sequence found;
    for (Size i = from; i < until; ++i) {
        if (other[names[i]]) {
            found.names.push_back(names[i]);
            found.lines.push_back(static_cast<std::int32_t>(i));
        }
    }
    found.changed.assign(found.names.size(), 0);
    return found;
}

std::vector<std::uint8_t> present(const Ints& names, Size from, Size until, Size count) {
    std::vector<std::uint8_t> marks(count, 0);
    for (Size i = from; i < until; ++i) {
        marks[names[i]] = 1;
    }
    return marks;
}

// Pairs of common lines, old and new, in order, but for the common head and tail.
std::vector<std::pair<Size, Size>> common_lines(const Ints& old_names, const Ints& new_names,
                                                Size count) {
    Size head = 0;
    Size old_end = old_names.size();
    Size new_end = new_names.size();
    while (head < std::min(old_end, new_end) && old_names[head] == new_names[head]) {
        ++head;
    }
    while (head < std::min(old_end, new_end) && old_names[old_end - 1] == new_names[new_end - 1]) {
        --old_end;
        --new_end;
    }
    Sequence a = candidates(old_names, head, old_end, present(new_names, head, new_end, count));
    Sequence b = candidates(new_names, head, new_end, present(old_names, head, old_end, count));
    Script(a, b).mark();
    std::vector<std::pair<Size, Size>> pairs;
    Size y = 0;
    for (Size x = 0; x < a.lines.size(); ++x) {
        if (a.changed[x]) {
            continue;
        }
        while (b.changed[y]) {
            ++y;
        }
        pairs.emplace_back(a.lines[x], b.lines[y++]);
    }
    return pairs;
}

// Extends each region as far as the texts agree. A region that is reached over by another is part
// of it and goes, so that no character is compared more than twice in either direction.
template <typename Char>
void extend(Text<Char> old_text, Text<Char> new_text, Regions& regions) {
    Regions forward;
    for (Size i = 0; i < regions.size();) {
        Region region = regions[i++];
        while (true) {
            const auto new_end = static_cast<Size>(region.new_start + region.length);
            const auto old_end = static_cast<Size>(region.old_start + region.length);
            const Size limit = i < regions.size()
                                   ? static_cast<Size>(regions[i].new_start + regions[i].length)
                                   : new_text.size;
            const Size most = std::min(limit - new_end, old_text.size - old_end);
            const Size more =
                common_prefix(new_text.data + new_end, old_text.data + old_end, most);
            region.length += static_cast<std::int64_t>(more);
            if (i == regions.size() || new_end + more < limit) {
                break;
            }
            ++i;
        }
        forward.push_back(region);
    }
    regions.clear();
    while (!forward.empty()) {
        Region region = forward.back();
        forward.pop_back();
        while (true) {
            const auto new_start = static_cast<Size>(region.new_start);
            const auto old_start = static_cast<Size>(region.old_start);
            const Size limit =
                forward.empty() ? 0 : static_cast<Size>(forward.back().new_start);
            const Size less = common_suffix(new_text.data + new_start, old_text.data + old_start,
                                            std::min(new_start - limit, old_start));
            region.new_start -= static_cast<std::int64_t>(less);
            region.old_start -= static_cast<std::int64_t>(less);
            region.length += static_cast<std::int64_t>(less);
            if (forward.empty() || new_start - less > limit) {
                break;
            }
            forward.pop_back();
        }
        regions.push_back(region);
    }
}

}  // namespace

template <typename Char>
Regions line(Text<Char> old_text, Text<Char> new_text, std::size_t least) {
    const std::vector<Size> old_starts = line_starts(old_text);
    const std::vector<Size> new_starts = line_starts(new_text);
    Names<Char> names(old_starts.size() + new_starts.size());
    const auto name_all = [&](Text<Char> text, const std::vector<Size>& starts) {
        Ints numbers;
        numbers.reserve(starts.size());
        for (Size i = 0; i + 1 < starts.size(); ++i) {
            numbers.push_back(names.name(text.data + starts[i], starts[i + 1] - starts[i]));
        }
        return numbers;
    };
    const Ints old_names = name_all(old_text, old_starts);
    const Ints new_names = name_all(new_text, new_starts);
    Regions found;
    Size old_next = 0;
    Size new_next = 0;
    for (const auto& [x, y] : common_lines(old_names, new_names, names.count())) {
        const auto length = static_cast<std::int64_t>(new_starts[y + 1] - new_starts[y]);
        if (!found.empty() && x == old_next && y == new_next) {
            found.back().length += length;
        } else {
            found.push_back({static_cast<std::int64_t>(new_starts[y]),
                             static_cast<std::int64_t>(old_starts[x]), length});
        }
        old_next = x + 1;
        new_next = y + 1;
    }
    extend(old_text, new_text, found);
    const Regions ends = edges(old_text, new_text, 1);
    found.insert(found.begin(), ends.begin(), ends.end());
    prune(found);
    std::erase_if(found, [&](const Region& one) {
        return one.length < static_cast<std::int64_t>(least);
    });
    return found;
}

template Regions line<std::uint8_t>(Text<std::uint8_t>, Text<std::uint8_t>, std::size_t);
template Regions line<std::uint16_t>(Text<std::uint16_t>, Text<std::uint16_t>, std::size_t);
template Regions line<std::uint32_t>(Text<std::uint32_t>, Text<std::uint32_t>, std::size_t);

}  // namespace rowen::match
