#include <nanobind/nanobind.h>
#include <nanobind/stl/tuple.h>

#include <limits>
#include <tuple>

#include "columns.hpp"
#include "html_outline.hpp"
#include "native.hpp"
#include "storage.hpp"

namespace nb = nanobind;

namespace rowen {
namespace {

using Digests = Column<std::uint64_t>;
using Offsets = Column<std::int32_t>;
using OutlineColumns = std::tuple<Digests, Offsets, Offsets, Digests, Offsets, Offsets, Offsets,
                                  Offsets, Offsets, Digests, Digests, Offsets, Offsets>;

OutlineColumns html_outline(nb::str text) {
    if (PyUnicode_GET_LENGTH(text.ptr()) > std::numeric_limits<std::int32_t>::max()) {
        throw nb::value_error("a text of more than 2147483647 characters has no outline");
    }
    html::Outline found = with_storage(text, [](const auto* data, std::size_t length) {
        nb::gil_scoped_release unlocked;
        return html::outline(data, length);
    });
    return {column(std::move(found.names)),           column(std::move(found.starts)),
            column(std::move(found.ends)),            column(std::move(found.slots)),
            column(std::move(found.slot_starts)),     column(std::move(found.slot_ends)),
            column(std::move(found.parents)),         column(std::move(found.closes)),
            column(std::move(found.attributes_from)), column(std::move(found.attribute_names)),
            column(std::move(found.attribute_values)), column(std::move(found.value_starts)),
            column(std::move(found.value_ends))};
}

std::uint64_t name_digest(nb::str text) {
    return with_storage(text, [](const auto* data, std::size_t length) {
        return html::name_digest(data, length);
    });
}

std::uint64_t text_digest(nb::str text) {
    return with_storage(text, [](const auto* data, std::size_t length) {
        return html::text_digest(data, length);
    });
}

}  // namespace

void bind_html_outline(nb::module_& module) {
    module.def("html_outline", &html_outline, nb::arg("text"));
    module.def("name_digest", &name_digest, nb::arg("text"));
    module.def("text_digest", &text_digest, nb::arg("text"));
}

}  // namespace rowen
