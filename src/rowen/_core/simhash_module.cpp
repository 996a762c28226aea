// A text's fingerprint: each bit is the vote of all runs of three words.
#include <nanobind/nanobind.h>

#include <array>
#include <cstdint>

#include "native.hpp"
#include "storage.hpp"

namespace nb = nanobind;

namespace rowen {
namespace {

constexpr std::uint64_t seed = 0x9E3779B97F4A7C15u;

std::uint64_t mix(std::uint64_t value) {
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9u;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EBu;
    return value ^ (value >> 31);
}

class Votes {
  public:
    // The last three words are a feature; a text of fewer words has them as they are.
    void add_word(std::uint64_t word) {
        before_ = {before_[1], before_[2], word};
        if (++words_ >= 3) {
            vote();
        }
    }

    std::uint64_t fingerprint() {
        if (words_ > 0 && words_ < 3) {
            vote();
        }
        count();
        std::uint64_t bits = 0;
        for (std::size_t i = 0; i < votes_.size(); ++i) {
            bits |= static_cast<std::uint64_t>(2 * votes_[i] > features_) << i;
        }
        return bits;
    }

  private:
    // Adds a feature's bits to 64 counters, of which each plane has a digit.
    void vote() {
        std::uint64_t carry = mix(before_[2] + mix(before_[1] + mix(before_[0])));
        for (std::size_t i = 0; carry != 0; ++i) {
            const std::uint64_t both = planes_[i] & carry;
            planes_[i] ^= carry;
            carry = both;
        }
        ++features_;
        if (++waiting_ == (1u << planes_.size()) - 1) {
            count();
        }
    }

    void count() {
        for (std::size_t i = 0; i < votes_.size(); ++i) {
            for (std::size_t plane = 0; plane < planes_.size(); ++plane) {
                votes_[i] += ((planes_[plane] >> i) & 1) << plane;
            }
        }
        planes_ = {};
        waiting_ = 0;
    }

    std::array<std::uint64_t, 3> before_{};
    std::array<std::uint64_t, 10> planes_{};
    std::array<std::uint64_t, 64> votes_{};
    std::uint64_t features_ = 0;
    std::size_t waiting_ = 0;
    std::size_t words_ = 0;
};

// What letters and digits count as: their lower case; 0 for all else.
Py_UCS4 folded(Py_UCS4 code) {
    if (code < 128) {
        const bool upper = code >= 'A' && code <= 'Z';
        const bool other = (code >= 'a' && code <= 'z') || (code >= '0' && code <= '9');
        return upper ? code + ('a' - 'A') : other ? code : 0;
    }
    return Py_UNICODE_ISALNUM(code) ? Py_UNICODE_TOLOWER(code) : 0;
}

template <typename Char>
std::uint64_t simhash(const Char* text, std::size_t size) {
    Votes votes;
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < size; ++i) {
        const Py_UCS4 code = folded(text[i]);
        if (code != 0) {
            word = mix((word ^ code) + seed);
        } else if (word != 0) {
            votes.add_word(word);
            word = 0;
        }
    }
    if (word != 0) {
        votes.add_word(word);
    }
    return votes.fingerprint();
}

std::uint64_t simhash64(nb::str text) {
    return with_storage(
        text, [](const auto* data, std::size_t length) { return simhash(data, length); });
}

}  // namespace

void bind_simhash(nb::module_& module) {
    module.def("simhash64", &simhash64, nb::arg("text"));
}

}  // namespace rowen
