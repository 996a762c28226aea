#include <nanobind/nanobind.h>

#include <string_view>
#include <vector>

#include "native.hpp"
#include "near_index.hpp"

namespace nb = nanobind;

namespace rowen {
namespace {

// A sketch has 32; more than this is a mistake, and the sum of both must not overflow.
constexpr std::size_t most_bytes = 1u << 16;

std::string_view view(const nb::bytes& bytes) { return {bytes.c_str(), bytes.size()}; }

const std::uint8_t* data(const nb::bytes& bytes, std::size_t size) {
    if (bytes.size() != size) {
        throw nb::value_error("not as many bytes as the index keeps");
    }
    return static_cast<const std::uint8_t*>(bytes.data());
}

nb::list rows(const near::Index& index, const std::vector<near::Found>& found) {
    nb::list rows;
    for (const near::Found& one : found) {
        const std::string_view id = index.id(one.document), extra = index.extra(one.document);
        rows.append(nb::make_tuple(nb::bytes(id.data(), id.size()), one.distance,
                                   nb::bytes(extra.data(), extra.size())));
    }
    return rows;
}

void add(near::Index& index, nb::bytes id, std::uint64_t code, nb::bytes extra) {
    index.add(view(id), code, data(extra, index.extra_bytes()));
}

bool remove(near::Index& index, nb::bytes id, std::uint64_t code) {
    return index.remove(view(id), code);
}

nb::list find_near(near::Index& index, std::uint64_t code, std::uint32_t distance) {
    return rows(index, index.find_near(code, distance));
}

nb::list find_like(near::Index& index, std::uint64_t code, nb::bytes rest,
                   std::uint32_t distance) {
    return rows(index, index.find_like(code, data(rest, index.rest_bytes()), distance));
}

}  // namespace

void bind_near_index(nb::module_& module) {
    nb::class_<near::Index>(module, "NearIndex")
        .def("__init__",
             [](near::Index* self, std::size_t rest, std::size_t note) {
                 if (rest > most_bytes || note > most_bytes) {
                     throw nb::value_error("an index keeps at most 65536 bytes for a document");
                 }
                 new (self) near::Index(rest, note);
             },
             nb::arg("rest"), nb::arg("note"))
        .def("add", &add, nb::arg("id"), nb::arg("code"), nb::arg("extra"))
        .def("remove", &remove, nb::arg("id"), nb::arg("code"))
        .def("find_near", &find_near, nb::arg("code"), nb::arg("distance"))
        .def("find_like", &find_like, nb::arg("code"), nb::arg("rest"), nb::arg("distance"))
        .def("memory", &near::Index::memory)
        .def("__len__", &near::Index::size);
}

}  // namespace rowen
