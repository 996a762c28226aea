#include <nanobind/nanobind.h>

#include <string_view>

#include "native.hpp"
#include "near_index.hpp"

namespace nb = nanobind;

namespace rowen {
namespace {

std::string_view view(const nb::bytes& bytes) { return {bytes.c_str(), bytes.size()}; }

const std::uint8_t* sketch_of(const near::Index& index, const nb::bytes& sketch) {
    if (sketch.size() != index.sketch_bytes()) {
        throw nb::value_error("a sketch of another length than the index has");
    }
    return static_cast<const std::uint8_t*>(sketch.data());
}

nb::list find(near::Index& index, std::uint64_t fingerprint, nb::bytes sketch,
              std::uint32_t distance, std::uint32_t sketch_distance) {
    nb::list found;
    for (const near::Found& one :
         index.find(fingerprint, sketch_of(index, sketch), distance, sketch_distance)) {
        const std::string_view id = index.id(one.document);
        found.append(
            nb::make_tuple(nb::bytes(id.data(), id.size()), one.distance, one.sketch_distance));
    }
    return found;
}

}  // namespace

void bind_near_index(nb::module_& module) {
    nb::class_<near::Index>(module, "NearIndex")
        .def(nb::init<std::size_t>(), nb::arg("sketch_bytes"))
        .def("add",
             [](near::Index& index, nb::bytes id, std::uint64_t fingerprint, nb::bytes sketch) {
                 index.add(view(id), fingerprint, sketch_of(index, sketch));
             },
             nb::arg("id"), nb::arg("fingerprint"), nb::arg("sketch"))
        .def("remove",
             [](near::Index& index, nb::bytes id, std::uint64_t fingerprint) {
                 return index.remove(view(id), fingerprint);
             },
             nb::arg("id"), nb::arg("fingerprint"))
        .def("find", &find, nb::arg("fingerprint"), nb::arg("sketch"), nb::arg("distance"),
             nb::arg("sketch_distance"))
        .def("memory", &near::Index::memory)
        .def("__len__", &near::Index::size);
}

}  // namespace rowen
