// What is kept of a text to tell whether another one is much the same: the votes of its runs of
// three words, and a sketch of their set.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "fingerprint.hpp"
#include "native.hpp"
#include "shingles.hpp"
#include "storage.hpp"

namespace nb = nanobind;

namespace rowen {
namespace {

using shingles::Sketch;
using shingles::Votes;

// What letters and digits count as: their lower case; 0 for all else.
struct Folded {
    std::uint32_t operator()(Py_UCS4 code) const {
        if (code < 128) {
            const bool upper = code >= 'A' && code <= 'Z';
            const bool other = (code >= 'a' && code <= 'z') || (code >= '0' && code <= '9');
            return upper ? code + ('a' - 'A') : other ? code : 0;
        }
        return Py_UNICODE_ISALNUM(code) ? Py_UNICODE_TOLOWER(code) : 0;
    }
};

std::uint64_t simhash64(nb::str text) {
    return with_storage(text, [](const auto* data, std::size_t length) {
        Votes votes;
        shingles::each_shingle(data, length, Folded{}, [&](std::uint64_t one) { votes.add(one); });
        return votes.fingerprint();
    });
}

nb::tuple fingerprint(nb::str text, std::uint64_t key) {
    Votes votes;
    Sketch sketch(key);
    with_storage(text, [&](const auto* data, std::size_t length) {
        shingles::each_shingle(data, length, Folded{}, [&](std::uint64_t one) {
            votes.add(one);
            sketch.add(one);
        });
    });
    const auto bits = sketch.bits();
    return nb::make_tuple(votes.fingerprint(), nb::bytes(bits.data(), bits.size()));
}

std::vector<std::uint64_t> shingle_set(nb::str text) {
    std::vector<std::uint64_t> found;
    with_storage(text, [&](const auto* data, std::size_t length) {
        shingles::each_shingle(data, length, Folded{}, [&](std::uint64_t one) { found.push_back(one); });
    });
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

std::pair<std::size_t, std::size_t> shared_shingles(nb::str one, nb::str other) {
    const std::vector<std::uint64_t> mine = shingle_set(one), theirs = shingle_set(other);
    std::size_t both = 0;
    for (auto left = mine.begin(), right = theirs.begin();
         left != mine.end() && right != theirs.end();) {
        const std::uint64_t a = *left, b = *right;
        both += a == b;
        left += a <= b;
        right += b <= a;
    }
    return {both, mine.size() + theirs.size() - both};
}

}  // namespace

void bind_fingerprint(nb::module_& module) {
    module.def("simhash64", &simhash64, nb::arg("text"));
    module.def("fingerprint", &fingerprint, nb::arg("text"), nb::arg("key"));
    module.def("shared_shingles", &shared_shingles, nb::arg("one"), nb::arg("other"));
}

}  // namespace rowen
