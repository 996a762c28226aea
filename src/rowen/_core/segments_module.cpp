#include "segments.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/tuple.h>

#include <limits>
#include <tuple>

#include "columns.hpp"
#include "native.hpp"
#include "storage.hpp"

namespace nb = nanobind;

namespace rowen {
namespace {

std::u32string codes_of(nb::handle given) {
    PyObject* const object = given.ptr();
    if (!PyUnicode_Check(object) || PyUnicode_GET_LENGTH(object) == 0) {
        throw nb::value_error("a separator is a string of at least one character");
    }
    std::u32string codes;
    for (Py_ssize_t i = 0; i < PyUnicode_GET_LENGTH(object); ++i) {
        codes.push_back(PyUnicode_READ_CHAR(object, i));
    }
    return codes;
}

std::tuple<Column<std::int32_t>, Column<std::int32_t>> segment_bounds(nb::str text,
                                                                      nb::sequence given) {
    if (PyUnicode_GET_LENGTH(text.ptr()) > std::numeric_limits<std::int32_t>::max()) {
        throw nb::value_error("a text of more than 2147483647 characters has no segments");
    }
    std::vector<std::u32string> codes;
    for (nb::handle one : given) {
        codes.push_back(codes_of(one));
    }
    const segments::Separators separators(std::move(codes));
    segments::Bounds found = with_storage(text, [&](const auto* data, std::size_t length) {
        nb::gil_scoped_release unlocked;
        return segments::split(data, length, separators);
    });
    return {column(std::move(found.starts)), column(std::move(found.ends))};
}

using Regions = nb::ndarray<const std::int64_t, nb::shape<-1, 3>, nb::c_contig, nb::device::cpu>;

std::tuple<Column<std::int64_t>, Column<std::int64_t>> segments_inside(nb::str old, nb::str text,
                                                                       Regions regions,
                                                                       nb::str separators) {
    const segments::Marks marks(codes_of(separators));
    const auto* const rows = reinterpret_cast<const segments::Region*>(regions.data());
    const std::size_t count = regions.shape(0);
    const auto size = static_cast<std::int64_t>(PyUnicode_GET_LENGTH(text.ptr()));
    const auto old_size = static_cast<std::int64_t>(PyUnicode_GET_LENGTH(old.ptr()));
    for (std::size_t i = 0; i < count; ++i) {
        const auto& [start, old_start, region_length] = rows[i];
        if (start < 0 || old_start < 0 || region_length < 0 || start > size || old_start > old_size ||
            region_length > size - start || region_length > old_size - old_start) {
            throw nb::value_error("a region lies inside both texts");
        }
    }
    std::vector<std::int64_t> starts(count), ends(count);
    with_storage(text, [&](const auto* data, std::size_t length) {
        with_storage(old, [&](const auto* old_data, std::size_t old_length) {
            nb::gil_scoped_release unlocked;
            for (std::size_t i = 0; i < count; ++i) {
                std::tie(starts[i], ends[i]) = segments::whole_segments(
                    data, static_cast<std::int64_t>(length), old_data,
                    static_cast<std::int64_t>(old_length), rows[i], marks);
            }
        });
    });
    return {column(std::move(starts)), column(std::move(ends))};
}

using Gaps = nb::ndarray<const std::int64_t, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;

std::tuple<Column<std::int64_t>, Column<std::int64_t>, Column<std::int64_t>> segments_elsewhere(
    nb::str old, nb::str text, Gaps gaps, nb::str separators) {
    const segments::Marks marks(codes_of(separators));
    const auto* const rows = reinterpret_cast<const segments::Gap*>(gaps.data());
    const std::size_t count = gaps.shape(0);
    const auto length = static_cast<std::int64_t>(PyUnicode_GET_LENGTH(text.ptr()));
    for (std::size_t i = 0; i < count; ++i) {
        if (rows[i].start < 0 || rows[i].start > rows[i].end || rows[i].end > length) {
            throw nb::value_error("a gap lies inside the text");
        }
    }
    segments::Places found = with_storage(text, [&](const auto* data, std::size_t) {
        return with_storage(old, [&](const auto* old_data, std::size_t old_length) {
            nb::gil_scoped_release unlocked;
            return segments::old_places(data, old_data, static_cast<std::int64_t>(old_length), rows,
                                        count, marks);
        });
    });
    return {column(std::move(found.starts)), column(std::move(found.ends)),
            column(std::move(found.old_starts))};
}

}  // namespace

void bind_segments(nb::module_& module) {
    module.def("segment_bounds", &segment_bounds, nb::arg("text"), nb::arg("separators"));
    module.def("segments_inside", &segments_inside, nb::arg("old"), nb::arg("text"),
               nb::arg("regions"), nb::arg("separators"));
    module.def("segments_elsewhere", &segments_elsewhere, nb::arg("old"), nb::arg("text"),
               nb::arg("gaps"), nb::arg("separators"));
}

}  // namespace rowen
