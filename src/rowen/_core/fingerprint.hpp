// The votes of a text's runs of three words, and a sketch of their set.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "shingles.hpp"

namespace rowen::shingles {

class Votes {
  public:
    // Adds a shingle's bits to 64 counters, of which each plane has a digit.
    void add(std::uint64_t shingle) {
        std::uint64_t carry = shingle;
        for (std::size_t i = 0; carry != 0; ++i) {
            const std::uint64_t both = planes_[i] & carry;
            planes_[i] ^= carry;
            carry = both;
        }
        ++shingles_;
        if (++waiting_ == (1u << planes_.size()) - 1) {
            count();
        }
    }

    std::uint64_t fingerprint() {
        count();
        std::uint64_t bits = 0;
        for (std::size_t i = 0; i < votes_.size(); ++i) {
            bits |= static_cast<std::uint64_t>(2 * votes_[i] > shingles_) << i;
        }
        return bits;
    }

  private:
    void count() {
        for (std::size_t i = 0; i < votes_.size(); ++i) {
            for (std::size_t plane = 0; plane < planes_.size(); ++plane) {
                votes_[i] += ((planes_[plane] >> i) & 1) << plane;
            }
        }
        planes_ = {};
        waiting_ = 0;
    }

    std::array<std::uint64_t, 10> planes_{};
    std::array<std::uint64_t, 64> votes_{};
    std::uint64_t shingles_ = 0;
    std::size_t waiting_ = 0;
};

// The set of shingles by its least hashes (Broder, 1997) of one permutation (Li, Owen and Zhang,
// 2012), one bit of each (Li and König, 2010).
class Sketch {
  public:
    static constexpr std::size_t bins = 256;

    explicit Sketch(std::uint64_t key) : key_(key) { least_.fill(nothing); }

    void add(std::uint64_t shingle) {
        const std::uint64_t hash = mix(shingle + key_);
        std::uint64_t& least = least_[hash >> 56];
        least = std::min(least, hash);
    }

    // A bin that no shingle fell into takes from one that is drawn for it (Shrivastava, 2017). The
    // sketch of no shingles is empty.
    std::array<std::uint8_t, bins / 8> bits() const {
        std::array<std::uint8_t, bins / 8> found{};
        if (std::all_of(least_.begin(), least_.end(), [](auto one) { return one == nothing; })) {
            return found;
        }
        for (std::size_t bin = 0; bin < bins; ++bin) {
            std::size_t from = bin;
            for (std::uint64_t draw = 1; least_[from] == nothing; ++draw) {
                from = mix(bin + draw * bins) % bins;
            }
            found[bin / 8] |= (mix(least_[from] + bin) & 1) << (bin % 8);
        }
        return found;
    }

  private:
    static constexpr std::uint64_t nothing = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t key_;
    std::array<std::uint64_t, bins> least_;
};

}  // namespace rowen::shingles
