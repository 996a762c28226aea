// Where the segments of a text are: what stands between separators.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace rowen::segments {

struct Bounds {
    std::vector<std::int32_t> starts, ends;
};

// Separators, of which the longest one counts where several start at the same place.
class Separators {
  public:
    explicit Separators(std::vector<std::u32string> given) : all_(std::move(given)) {
        std::stable_sort(all_.begin(), all_.end(),
                         [](const auto& a, const auto& b) { return a.size() > b.size(); });
        for (const auto& one : all_) {
            starts_[one[0] % starts_.size()] = true;
        }
    }

    // How long a separator starts there; 0 where none does.
    template <typename Char>
    std::size_t length_at(const Char* text, std::size_t at, std::size_t size) const {
        if (!starts_[text[at] % starts_.size()]) {
            return 0;
        }
        for (const auto& one : all_) {
            if (one.size() <= size - at && std::equal(one.begin(), one.end(), text + at)) {
                return one.size();
            }
        }
        return 0;
    }

  private:
    std::vector<std::u32string> all_;
    std::array<bool, 256> starts_{};  // by a character's last byte
};

template <typename Char>
Bounds split(const Char* text, std::size_t size, const Separators& separators) {
    Bounds bounds;
    std::size_t start = 0;
    for (std::size_t at = 0; at < size;) {
        const std::size_t length = separators.length_at(text, at, size);
        if (length == 0) {
            ++at;
            continue;
        }
        bounds.starts.push_back(static_cast<std::int32_t>(start));
        bounds.ends.push_back(static_cast<std::int32_t>(at));
        at += length;
        start = at;
    }
    bounds.starts.push_back(static_cast<std::int32_t>(start));
    bounds.ends.push_back(static_cast<std::int32_t>(size));
    return bounds;
}

// Separators of one character each.
class Marks {
  public:
    explicit Marks(const std::u32string& given) {
        for (const char32_t one : given) {
            if (one < narrow_.size()) {
                narrow_[one] = true;
            } else {
                wide_.push_back(one);
            }
        }
    }

    bool has(char32_t code) const {
        return code < narrow_.size() ? narrow_[code] : wide_.find(code) != std::u32string::npos;
    }

  private:
    std::u32string wide_;
    std::array<bool, 256> narrow_{};
};

struct Region {
    std::int64_t start, old_start, length;
};

// The whole segments that an old region holds: from the first one's start to the last one's end in
// the new text; none where the start comes after the end. Inside the region both texts are the
// same, so only its ends are looked at.
template <typename New, typename Old>
std::pair<std::int64_t, std::int64_t> whole_segments(const New* text, std::int64_t size,
                                                     const Old* old, std::int64_t old_size,
                                                     const Region& region, const Marks& marks) {
    std::int64_t start = region.start;
    std::int64_t end = region.start + region.length;
    const bool begins = (start == 0 || marks.has(text[start - 1])) &&
                        (region.old_start == 0 || marks.has(old[region.old_start - 1]));
    const std::int64_t old_end = region.old_start + region.length;
    const bool ends = (end == size || marks.has(text[end])) &&
                      (old_end == old_size || marks.has(old[old_end]));
    if (!begins) {
        while (start < end && !marks.has(text[start])) {
            ++start;
        }
        ++start;  // behind the separator, or behind the end
    }
    if (!ends) {
        while (end >= start && (end == region.start + region.length || !marks.has(text[end]))) {
            --end;
        }
    }
    return {start, end};
}

template <typename Char>
std::uint64_t hash_of(const Char* text, std::int64_t start, std::int64_t end) {
    std::uint64_t hash = 0x9E3779B97F4A7C15u;
    for (std::int64_t i = start; i < end; ++i) {
        hash = (hash ^ text[i]) * 0xBF58476D1CE4E5B9u;
    }
    return hash ^ (hash >> 32);
}

// Calls a function with the start and the end of each segment between two places at which segments
// start and end; until it says that it has seen enough.
template <typename Char, typename Function>
void each_segment(const Char* text, std::int64_t start, std::int64_t end, const Marks& marks,
                  Function function) {
    for (std::int64_t at = start; at < end; ++at) {
        if (marks.has(text[at])) {
            if (!function(start, at)) {
                return;
            }
            start = at + 1;
        }
    }
    function(start, end);
}

struct Gap {
    std::int64_t start, end;
};

struct Places {
    std::vector<std::int64_t> starts, ends, old_starts;
};

// Each segment in some gaps of the new text, and where the old text has the same segment; -1 where
// it does not. A segment is compared with one other of its hash, so that hashes which fall together
// cost a segment its place and nothing else.
template <typename New, typename Old>
Places old_places(const New* text, const Old* old, std::int64_t old_size, const Gap* gaps,
                  std::size_t count, const Marks& marks) {
    struct Wanted {
        std::int64_t start, length, old_start;
    };
    Places places;
    std::unordered_map<std::uint64_t, Wanted> wanted;
    std::vector<std::uint64_t> hashes;
    for (std::size_t i = 0; i < count; ++i) {
        each_segment(text, gaps[i].start, gaps[i].end, marks, [&](auto start, auto end) {
            places.starts.push_back(start);
            places.ends.push_back(end);
            hashes.push_back(hash_of(text, start, end));
            wanted.try_emplace(hashes.back(), Wanted{start, end - start, -1});
            return true;
        });
    }
    std::size_t left = wanted.size();
    each_segment(old, 0, old_size, marks, [&](auto start, auto end) {
        const auto found = wanted.find(hash_of(old, start, end));
        if (found != wanted.end()) {
            Wanted& one = found->second;
            if (one.old_start < 0 && one.length == end - start &&
                std::equal(old + start, old + end, text + one.start)) {
                one.old_start = start;
                --left;
            }
        }
        return left > 0;
    });
    for (std::size_t i = 0; i < hashes.size(); ++i) {
        const Wanted& one = wanted.find(hashes[i])->second;
        const bool same = one.length == places.ends[i] - places.starts[i] &&
                          std::equal(text + places.starts[i], text + places.ends[i],
                                     text + one.start);
        places.old_starts.push_back(same ? one.old_start : -1);
    }
    return places;
}

}  // namespace rowen::segments
