#include "html_outline_module.hpp"

#include <nanobind/stl/tuple.h>

#include <limits>
#include <tuple>

#include "columns.hpp"
#include "native.hpp"
#include "storage.hpp"

namespace nb = nanobind;

namespace rowen {
namespace {

using DigestColumn = Column<std::uint64_t>;
using Offsets = Column<std::int32_t>;
using OutlineColumns = std::tuple<DigestColumn, Offsets, Offsets, Offsets, Offsets, Offsets, Offsets,
                                  Offsets, Offsets>;
using DigestColumns = std::tuple<DigestColumn, DigestColumn, DigestColumn>;

HtmlOutline html_outline(nb::str text) {
    if (PyUnicode_GET_LENGTH(text.ptr()) > std::numeric_limits<std::int32_t>::max()) {
        throw nb::value_error("a text of more than 2147483647 characters has no outline");
    }
    html::Outline found = with_storage(text, [](const auto* data, std::size_t length) {
        nb::gil_scoped_release unlocked;
        return html::outline(data, length);
    });
    return {std::move(text), std::move(found)};
}

template <typename Value>
Column<Value> copied(const std::vector<Value>& values) {
    return column(std::vector<Value>(values));
}

OutlineColumns columns_of(const HtmlOutline& outline) {
    const html::Outline& of = outline.columns;
    return {copied(of.names),   copied(of.starts), copied(of.ends),
            copied(of.slot_starts), copied(of.slot_ends), copied(of.parents),
            copied(of.closes),  copied(of.attributes_from), copied(of.attributes)};
}

DigestColumns digests_of(const HtmlOutline& outline) {
    html::Digests found = with_storage(outline.text, [&](const auto* data, std::size_t) {
        nb::gil_scoped_release unlocked;
        return html::digests(data, outline.columns);
    });
    return {column(std::move(found.slots)), column(std::move(found.attribute_names)),
            column(std::move(found.attribute_values))};
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
    nb::class_<HtmlOutline>(module, "HtmlOutline")
        .def("columns", &columns_of)
        .def("digests", &digests_of);
    module.def("html_outline", &html_outline, nb::arg("text"));
    module.def("name_digest", &name_digest, nb::arg("text"));
    module.def("text_digest", &text_digest, nb::arg("text"));
}

}  // namespace rowen
