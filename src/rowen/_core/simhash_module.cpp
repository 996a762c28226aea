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
        std::uint64_t bits = 0;
        for (std::size_t i = 0; i < votes_.size(); ++i) {
            bits |= static_cast<std::uint64_t>(votes_[i] > 0) << i;
        }
        return bits;
    }

  private:
    void vote() {
        const std::uint64_t feature = mix(before_[2] + mix(before_[1] + mix(before_[0])));
        for (std::size_t i = 0; i < votes_.size(); ++i) {
            votes_[i] += static_cast<std::int32_t>((feature >> i) & 1) * 2 - 1;
        }
    }

    std::array<std::uint64_t, 3> before_{};
    std::array<std::int32_t, 64> votes_{};
    std::size_t words_ = 0;
};

template <typename Char>
std::uint64_t simhash(const Char* text, std::size_t size) {
    Votes votes;
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < size; ++i) {
        const auto code = static_cast<Py_UCS4>(text[i]);
        if (Py_UNICODE_ISALNUM(code)) {
            word = mix((word ^ Py_UNICODE_TOLOWER(code)) + seed);
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
