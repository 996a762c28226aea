// Where the segments of a text are: what stands between separators.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
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

}  // namespace rowen::segments
