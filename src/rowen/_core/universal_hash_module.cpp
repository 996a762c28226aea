#include "universal_hash.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "native.hpp"

namespace nb = nanobind;

namespace rowen {
namespace {

using Bytes = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

nb::bytes universal_hash(Bytes data, nb::bytes key) {
    if (key.size() != nh::key_bytes) {
        throw nb::value_error("the key has another length");
    }
    PyObject* const hashes =
        PyBytes_FromStringAndSize(nullptr, nh::hashed_size(data.size()));
    if (hashes == nullptr) {
        throw nb::python_error();
    }
    nh::hash_blocks(data.data(), data.size(),
                                reinterpret_cast<const std::uint8_t*>(key.c_str()),
                                reinterpret_cast<std::uint8_t*>(PyBytes_AS_STRING(hashes)));
    return nb::steal<nb::bytes>(hashes);
}

}  // namespace

void bind_universal_hash(nb::module_& module) {
    module.def("universal_hash", &universal_hash, nb::arg("data"), nb::arg("key"));
}

}  // namespace rowen
