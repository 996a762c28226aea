// The regions of `suffix` that have a least length, found by k-grams of the old page.
//
// Every s-th k-gram of the old page is known, so that a window of k + s - 1 characters that stands
// in it has a known k-gram at one of its first s places: its anchor. A walk over the new page
// extends each anchor to a region. Where a region R has been found, most of its places are skipped:
// - one that sticks out of R to the right has a window that begins at R's last window + 1, where
//   the walk goes on;
// - one that sticks out to the left, and not to the right, has a window that begins one place before
//   R, or where the walk went on after its last jump if that is later. Its anchor is among the s
//   places from there on, and those are never skipped.
// The walk begins and ends as if it had jumped over the pages' common head and tail.
#include <algorithm>
#include <bit>
#include <cstring>

#include "match.hpp"

namespace rowen::match {
namespace {

using Size = std::size_t;

// Every `step`-th k-gram of a page.
template <typename Char, Size K>
class Index {
  public:
    Index(Text<Char> text, Size step) : text_(text), step_(step) {
        const Size count = text.size < K ? 0 : (text.size - K) / step + 1;
        const int bits = std::bit_width(std::max<Size>(count, 32));
        slot_shift_ = 64 - bits;
        filter_shift_ = 64 - (bits + 4);
        slots_.assign(Size{1} << bits, 0);
        filter_.assign((Size{1} << (bits + 4)) / 64, 0);
        next_.resize(count + 1);
        for (Size number = count; number > 0; --number) {
            const std::uint64_t mixed = mix(text.data + (number - 1) * step);
            filter_[(mixed >> filter_shift_) / 64] |= std::uint64_t{1} << (mixed >> filter_shift_) % 64;
            std::uint32_t& slot = slots_[mixed >> slot_shift_];
            next_[number] = slot;
            slot = static_cast<std::uint32_t>(number);
        }
    }

    // The first place from `at` on, before `stop`, whose k-gram may be known.
    Size find(const Char* text, Size at, Size stop) const {
        const std::uint64_t* const filter = filter_.data();
        const int shift = filter_shift_;
        for (; at < stop; ++at) {
            const std::uint64_t mixed = mix(text + at) >> shift;
            if (filter[mixed / 64] >> mixed % 64 & 1) {
                break;
            }
        }
        return at;
    }

    // Calls with each old place that a k-gram may have, until `function` says no.
    template <typename Function>
    bool each(const Char* gram, Function function) const {
        for (Size number = slots_[mix(gram) >> slot_shift_]; number; number = next_[number]) {
            if (!function((number - 1) * step_)) {
                return false;
            }
        }
        return true;
    }

  private:
    static std::uint64_t mix(const Char* gram) {
        static constexpr std::uint64_t odd[4] = {0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F,
                                                 0x165667B19E3779F9, 0xD6E8FEB86659FD93};
        constexpr Size words = K * sizeof(Char) / 8;
        std::uint64_t sum = 0;
        for (Size w = 0; w < words; ++w) {
            std::uint64_t word;
            std::memcpy(&word, reinterpret_cast<const char*>(gram) + 8 * w, 8);
            sum += (word ^ word >> 32) * (odd[w % 4] + 2 * (w / 4));
        }
        return sum;
    }

    Text<Char> text_;
    Size step_;
    int slot_shift_, filter_shift_;
    std::vector<std::uint32_t> slots_, next_;  // numbers from 1; 0 is none
    std::vector<std::uint64_t> filter_;        // one bit in sixteen is set, or fewer
};

// A stretch of the new page that agrees with the old page at a distance.
struct Stretch {
    std::int64_t distance;
    Size start, end;
};

template <typename Char, Size K>
class Walk {
  public:
    Walk(Text<Char> old_text, Text<Char> new_text, Size least)
        : old_(old_text), new_(new_text), least_(least), step_(least - K + 1),
          index_(old_text, step_), effort_(4 * (old_text.size + new_text.size)) {}

    std::optional<Regions> regions() {
        Regions found = edges(old_, new_, 1);
        Size head = 0;
        Size tail = new_.size;
        for (const Region& edge : found) {
            const auto start = static_cast<Size>(edge.new_start);
            const Size end = start + static_cast<Size>(edge.length);
            known_.push_back({edge.old_start - edge.new_start, start, end});
            if (start == 0 && edge.old_start == 0) {
                head = end;
                furthest_ = known_.back();
            } else {
                tail = start;
            }
        }
        if (tail > 0 && !walk(std::min(head + 1 - std::min(head + 1, least_), tail - 1), tail)) {
            return std::nullopt;
        }
        std::erase_if(found, [&](const Region& one) { return static_cast<Size>(one.length) < least_; });
        found.insert(found.end(), found_.begin(), found_.end());
        prune(found);
        return found;
    }

  private:
    // Visits all windows that begin from `from` on, before `until`.
    bool walk(Size from, Size until) {
        const Size last = new_.size - K + 1;
        Size stop = std::min(until + step_ - 1, last);
        landed_ = from;
        jump_from_ = last;
        jump_to_ = 0;
        Size at = from;
        while (true) {
            at = index_.find(new_.data, at, std::min(stop, jump_from_));
            if (at < jump_from_ && at < stop) {
                if (!visit(at)) {
                    return false;
                }
                ++at;
            }
            if (at >= stop) {
                return true;
            }
            if (at >= jump_from_) {
                at = landed_ = std::max(at, jump_to_);
                jump_from_ = last;
                jump_to_ = 0;
                stop = std::max(stop, std::min(at + step_, last));
            }
        }
    }

    bool visit(Size at) {
        std::erase_if(known_, [&](const Stretch& one) { return one.end <= at; });
        effort_ -= static_cast<std::int64_t>(known_.size());
        if (at >= furthest_.end) {
            furthest_ = {0, at, at};
        }
        return index_.each(new_.data + at, [&](Size place) {
            if (sticks_out(at, place) &&
                std::memcmp(new_.data + at, old_.data + place, K * sizeof(Char)) == 0) {
                extend(at, place);
            }
            return --effort_ > 0;
        });
    }

    // Whether a match of these places may reach beyond the region that reaches furthest: two
    // characters tell for nearly all of the many matches in repetitive text.
    bool sticks_out(Size at, Size place) const {
        const Size after = furthest_.end - at;
        const Size before = at - furthest_.start + 1;
        return (furthest_.end < new_.size && place + after < old_.size &&
                new_.data[furthest_.end] == old_.data[place + after]) ||
               (furthest_.start > 0 && place >= before &&
                new_.data[at - before] == old_.data[place - before]);
    }

    void extend(Size at, Size place) {
        const auto distance = static_cast<std::int64_t>(place) - static_cast<std::int64_t>(at);
        effort_ -= static_cast<std::int64_t>(known_.size());
        for (const Stretch& one : known_) {
            if (one.distance == distance && one.start <= at) {
                return;
            }
        }
        const Size before =
            common_suffix(new_.data + at, old_.data + place, std::min(at, place));
        const Size after = K + common_prefix(new_.data + at + K, old_.data + place + K,
                                             std::min(new_.size - at, old_.size - place) - K);
        const Size start = at - before;
        const Size end = at + after;
        effort_ -= static_cast<std::int64_t>((end - start) / 32);
        known_.push_back({distance, start, end});
        if (end > furthest_.end) {
            furthest_ = known_.back();
        }
        if (end - start < least_) {
            return;
        }
        found_.push_back({static_cast<std::int64_t>(start), static_cast<std::int64_t>(start) + distance,
                          static_cast<std::int64_t>(end - start)});
        const Size from = std::max({at + 1, start + step_ - 1, landed_ + step_});
        const Size to = end - least_ + 1;
        if (to > from && to > jump_to_) {
            jump_from_ = from;
            jump_to_ = to;
        }
    }

    Text<Char> old_, new_;
    Size least_, step_;
    Index<Char, K> index_;
    std::int64_t effort_;
    Regions found_;
    std::vector<Stretch> known_;  // those that reach beyond the place of the walk
    Stretch furthest_{0, 0, 0};   // the one that ends last, of those that were extended
    Size landed_ = 0;             // where the walk went on after its last jump
    Size jump_from_ = 0, jump_to_ = 0;
};

}  // namespace

template <typename Char>
std::optional<Regions> anchor(Text<Char> old_text, Text<Char> new_text, std::size_t least) {
    if (std::min(old_text.size, new_text.size) < least) {
        return Regions{};
    }
    if (least >= 64) {
        return Walk<Char, 32>(old_text, new_text, least).regions();
    }
    if (least >= 32) {
        return Walk<Char, 16>(old_text, new_text, least).regions();
    }
    return Walk<Char, 8>(old_text, new_text, least).regions();
}

template std::optional<Regions> anchor<std::uint8_t>(Text<std::uint8_t>, Text<std::uint8_t>,
                                                     std::size_t);
template std::optional<Regions> anchor<std::uint16_t>(Text<std::uint16_t>, Text<std::uint16_t>,
                                                      std::size_t);
template std::optional<Regions> anchor<std::uint32_t>(Text<std::uint32_t>, Text<std::uint32_t>,
                                                      std::size_t);

}  // namespace rowen::match
