#include <nanobind/nanobind.h>

#include <algorithm>

#include "columns.hpp"
#include "html_outline_module.hpp"
#include "native.hpp"
#include "storage.hpp"
#include "token_scan.hpp"

namespace nb = nanobind;

namespace rowen {
namespace {

using namespace token;

// Each part of a wrapper comes as a tuple of its members, with None for what is not there.
template <typename Read>
auto optional_of(nb::handle given, Read read) {
    using Part = decltype(read(given));
    return given.is_none() ? std::optional<Part>() : std::optional<Part>(read(given));
}

template <typename Read>
auto list_of(nb::handle given, Read read) {
    std::vector<decltype(read(given))> parts;
    if (!nb::isinstance<nb::tuple>(given)) {
        throw nb::type_error("several parts of a wrapper are a tuple");
    }
    const auto all = nb::borrow<nb::tuple>(given);
    parts.reserve(all.size());
    for (nb::handle one : all) parts.push_back(read(one));
    return parts;
}

// The members of a part, of which there must be as many as the struct has: a tuple does not check
// its indexes.
nb::tuple members_of(nb::handle given, std::size_t count) {
    if (!nb::isinstance<nb::tuple>(given) || nb::borrow<nb::tuple>(given).size() != count) {
        throw nb::type_error("a part of a wrapper is a tuple of its members");
    }
    return nb::borrow<nb::tuple>(given);
}

std::uint64_t digest_of(nb::handle given) { return nb::cast<std::uint64_t>(given); }

std::int64_t number_of(nb::handle given) { return nb::cast<std::int64_t>(given); }

std::u32string codes_of(nb::handle given) {
    return with_storage(nb::cast<nb::str>(given), [](const auto* data, std::size_t length) {
        return std::u32string(data, data + length);
    });
}

Attribute attribute_of(nb::handle given) {
    const auto parts = members_of(given, 2);
    return {digest_of(parts[0]), digest_of(parts[1])};
}

Tag tag_of(nb::handle given) {
    const auto parts = members_of(given, 3);
    return {digest_of(parts[0]), list_of(parts[1], attribute_of), optional_of(parts[2], number_of)};
}

Step step_of(nb::handle given) {
    const auto parts = members_of(given, 3);
    return {number_of(parts[0]), optional_of(parts[1], tag_of), optional_of(parts[2], digest_of)};
}

Landmark landmark_of(nb::handle given) {
    Landmark landmark = list_of(given, step_of);
    if (landmark.empty() || !landmark.front().tag || landmark.front().by != 0) {
        throw nb::value_error("a landmark begins with the tag itself");
    }
    return landmark;
}

Cut cut_of(nb::handle given) {
    const auto parts = members_of(given, 12);
    return {optional_of(parts[0], digest_of), optional_of(parts[1], codes_of),
            optional_of(parts[2], codes_of),  nb::cast<bool>(parts[3]),
            optional_of(parts[4], digest_of), nb::cast<bool>(parts[5]),
            nb::cast<bool>(parts[6]),         nb::cast<bool>(parts[7]),
            nb::cast<bool>(parts[8]),         list_of(parts[9], digest_of),
            list_of(parts[10], attribute_of), nb::cast<bool>(parts[11])};
}

Rule rule_of(nb::handle given) {
    const auto parts = members_of(given, 4);
    return {landmark_of(parts[0]), cut_of(parts[1]), optional_of(parts[2], landmark_of),
            nb::cast<bool>(parts[3])};
}

Boundary boundary_of(nb::handle given) {
    const auto parts = members_of(given, 2);
    return {tag_of(parts[0]), optional_of(parts[1], tag_of)};
}

Take take_of(nb::handle given) {
    const std::string_view name = nb::cast<nb::str>(given).c_str();
    if (name == "all") return Take::all;
    if (name == "first") return Take::first;
    if (name == "last") return Take::last;
    throw nb::value_error("a rule takes all, first or last");
}

Field field_of(nb::handle given) {
    const auto parts = members_of(given, 4);
    return {list_of(parts[0], rule_of), take_of(parts[1]), nb::cast<bool>(parts[2]),
            nb::cast<bool>(parts[3])};
}

// The outline holds the text, which can't change, so both may be read without the lock.
template <typename Work>
auto scanned(const HtmlOutline& outline, Work work) {
    return with_storage(outline.text, [&](const auto* data, std::size_t length) {
        nb::gil_scoped_release unlocked;
        Scanner scanner(data, length, outline.columns);
        return work(scanner);
    });
}

nb::tuple tuple_of(std::initializer_list<Index> numbers) {
    PyObject* const tuple = PyTuple_New(static_cast<Py_ssize_t>(numbers.size()));
    Py_ssize_t place = 0;
    for (const Index one : numbers) PyTuple_SET_ITEM(tuple, place++, PyLong_FromLong(one));
    return nb::steal<nb::tuple>(tuple);
}

Column<Index> landmark_tags(const HtmlOutline& outline, nb::tuple given) {
    const Landmark landmark = landmark_of(given);
    return column(scanned(outline, [&](auto& scanner) { return scanner.find(landmark); }));
}

Column<Index> cell_places(const HtmlOutline& outline) {
    return column(scanned(outline, [](auto& scanner) { return scanner.cell_places(); }));
}

nb::list record_stretches(const HtmlOutline& outline, nb::tuple given) {
    const Boundary boundary = boundary_of(given);
    nb::list stretches;
    for (const auto& [first, last] :
         scanned(outline, [&](auto& scanner) { return scanner.stretches(boundary); })) {
        stretches.append(tuple_of({first, last}));
    }
    return stretches;
}

nb::object cut_bounds(const HtmlOutline& outline, nb::tuple given, Index tag) {
    const Cut cut = cut_of(given);
    if (tag < 0 || static_cast<std::size_t>(tag) >= outline.columns.names.size()) {
        throw nb::index_error("the outline has no such tag");
    }
    const auto found = scanned(outline, [&](auto& scanner) { return scanner.cut(cut, tag); });
    return found ? nb::object(tuple_of({found->first, found->second})) : nb::object(nb::none());
}

nb::list rule_values(const HtmlOutline& outline, nb::tuple given) {
    const Rule rule = rule_of(given);
    nb::list values;
    for (const auto& one : scanned(outline, [&](auto& scanner) { return scanner.values(rule); })) {
        values.append(tuple_of({one.start, one.end, one.tag}));
    }
    return values;
}

nb::list list_of(const Rows& rows, std::size_t fields, bool flat) {
    nb::list made;
    if (fields == 0) return made;
    const nb::tuple none = flat ? tuple_of({-1, -1}) : nb::tuple();
    for (std::size_t row = 0; row + 1 < rows.ends.size(); row += fields) {
        PyObject* const cells = PyTuple_New(static_cast<Py_ssize_t>(fields));
        for (std::size_t k = 0; k < fields; ++k) {
            const Value* one = rows.values.data() + rows.ends[row + k];
            const Value* const end = rows.values.data() + rows.ends[row + k + 1];
            nb::tuple cell = none;
            if (one != end && flat) {
                cell = tuple_of({one->start, one->end});
            } else if (one != end) {
                PyObject* const all = PyTuple_New(end - one);
                for (Py_ssize_t i = 0; one != end; ++one, ++i) {
                    PyTuple_SET_ITEM(all, i, tuple_of({one->start, one->end}).release().ptr());
                }
                cell = nb::steal<nb::tuple>(all);
            }
            PyTuple_SET_ITEM(cells, static_cast<Py_ssize_t>(k), cell.release().ptr());
        }
        made.append(nb::steal(cells));
    }
    return made;
}

nb::tuple token_rows(const HtmlOutline& outline, nb::object record, nb::tuple fields,
                     std::size_t required) {
    const Program program{optional_of(record, boundary_of), list_of(fields, field_of), required};
    const Rows rows = scanned(outline, [&](auto& scanner) { return scanner.rows(program); });
    bool flat = true;
    for (std::size_t i = 1; i < rows.ends.size(); ++i) flat = flat && rows.ends[i] - rows.ends[i - 1] < 2;
    return nb::make_tuple(list_of(rows, program.fields.size(), flat), flat);
}

}  // namespace

void bind_token_scan(nb::module_& module) {
    module.def("landmark_tags", &landmark_tags, nb::arg("outline"), nb::arg("landmark"));
    module.def("cell_places", &cell_places, nb::arg("outline"));
    module.def("record_stretches", &record_stretches, nb::arg("outline"), nb::arg("boundary"));
    module.def("cut_bounds", &cut_bounds, nb::arg("outline"), nb::arg("cut"), nb::arg("tag"));
    module.def("rule_values", &rule_values, nb::arg("outline"), nb::arg("rule"));
    module.def("token_rows", &token_rows, nb::arg("outline"), nb::kw_only(),
               nb::arg("record").none(), nb::arg("fields"), nb::arg("required"));
}

}  // namespace rowen
