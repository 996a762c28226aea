// Where the segments of a text are: what stands between separators.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
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
    explicit Marks(const std::u32string& given) : all_(given) {
        for (const char32_t one : given) {
            starts_[one % starts_.size()] = true;
        }
    }

    bool has(char32_t code) const {
        return starts_[code % starts_.size()] && all_.find(code) != std::u32string::npos;
    }

  private:
    std::u32string all_;
    std::array<bool, 256> starts_{};  // by a character's last byte
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

}  // namespace rowen::segments
