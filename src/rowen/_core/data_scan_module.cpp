#include <nanobind/nanobind.h>
#include <nanobind/stl/tuple.h>

#include <limits>
#include <tuple>

#include "columns.hpp"
#include "data_scan.hpp"
#include "native.hpp"
#include "storage.hpp"

namespace nb = nanobind;

namespace rowen {
namespace {

using DataNodes =
    std::tuple<Column<std::uint8_t>, Column<std::uint8_t>, Column<std::int32_t>,
               Column<std::int32_t>, Column<std::int32_t>, Column<std::int32_t>,
               Column<std::int32_t>, Column<std::int32_t>, std::int32_t, int>;

DataNodes data_nodes(nb::str text, std::size_t start, std::size_t end, std::size_t depth,
                     std::size_t most) {
    data::Nodes nodes = with_storage(text, [&](const auto* characters, std::size_t length) {
        if (start > end || end > length) throw nb::value_error("bounds outside the text");
        if (end > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
            throw nb::value_error("a text of more than 2147483647 characters can't be scanned");
        }
        // The text can't change and `text` holds it, so its memory may be read without the lock.
        nb::gil_scoped_release unlocked;
        return data::scan(characters, start, end, depth, most);
    });
    return {column(std::move(nodes.kinds)),      column(std::move(nodes.flags)),
            column(std::move(nodes.starts)),     column(std::move(nodes.ends)),
            column(std::move(nodes.key_starts)), column(std::move(nodes.key_ends)),
            column(std::move(nodes.parents)),    column(std::move(nodes.afters)),
            nodes.stop,                          static_cast<int>(nodes.outcome)};
}

}  // namespace

void bind_data_scan(nb::module_& module) {
    module.def("data_nodes", &data_nodes, nb::arg("text"), nb::arg("start"), nb::arg("end"),
               nb::kw_only(), nb::arg("depth"), nb::arg("most"));
}

}  // namespace rowen
