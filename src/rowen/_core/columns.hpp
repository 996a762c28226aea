// Vectors as numpy arrays, and the other way round.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <utility>
#include <vector>

namespace rowen {

template <typename Value>
using Column = nanobind::ndarray<nanobind::numpy, Value, nanobind::ndim<1>>;

template <typename Value>
using Given =
    nanobind::ndarray<const Value, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;

// Hands a vector's memory to numpy.
template <typename Value>
Column<Value> column(std::vector<Value>&& values) {
    auto* kept = new std::vector<Value>(std::move(values));
    nanobind::capsule owner(
        kept, [](void* p) noexcept { delete static_cast<std::vector<Value>*>(p); });
    return Column<Value>(kept->data(), {kept->size()}, owner);
}

}  // namespace rowen
