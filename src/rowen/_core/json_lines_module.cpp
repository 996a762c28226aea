#include <nanobind/nanobind.h>

#include <string>
#include <vector>

#include "json_lines.hpp"
#include "native.hpp"

namespace nb = nanobind;

namespace rowen {
namespace {

struct Bounds {
    std::size_t start;
    std::size_t end;
    bool missing;
};

// One field's bounds as a pair of Python integers; negative ones say that it is missing.
Bounds bounds_of(nb::handle given, std::size_t length) {
    PyObject* const pair = given.ptr();
    if (!PyTuple_Check(pair) || PyTuple_GET_SIZE(pair) != 2) {
        throw nb::type_error("a row holds pairs of bounds");
    }
    const Py_ssize_t start = PyLong_AsSsize_t(PyTuple_GET_ITEM(pair, 0));
    const Py_ssize_t end = PyLong_AsSsize_t(PyTuple_GET_ITEM(pair, 1));
    if (PyErr_Occurred()) {
        throw nb::python_error();
    }
    if (start < 0) {
        return {0, 0, true};
    }
    if (end < start || static_cast<std::size_t>(end) > length) {
        throw nb::value_error("bounds outside the text");
    }
    return {static_cast<std::size_t>(start), static_cast<std::size_t>(end), false};
}

template <typename Char>
void append_value(std::string& out, const void* data, const Bounds& bounds) {
    json::append_string(out, static_cast<const Char*>(data) + bounds.start,
                               bounds.end - bounds.start);
}

template <typename Char>
bool is_doubtful(const void* data, const Bounds& bounds) {
    return json::is_doubtful(static_cast<const Char*>(data) + bounds.start,
                             bounds.end - bounds.start);
}

auto doubt_of(int kind) {
    return kind == PyUnicode_1BYTE_KIND   ? &is_doubtful<std::uint8_t>
           : kind == PyUnicode_2BYTE_KIND ? &is_doubtful<std::uint16_t>
                                          : &is_doubtful<std::uint32_t>;
}

// What Python reads: `read(field, start, end)` returns the value as JSON.
void append_read(std::string& out, const nb::object& read, std::size_t field,
                 const Bounds& bounds) {
    nb::object value = bounds.missing ? read(field, nb::none(), nb::none())
                                      : read(field, bounds.start, bounds.end);
    if (!PyBytes_Check(value.ptr())) {
        throw nb::type_error("a value is read as bytes");
    }
    out.append(PyBytes_AS_STRING(value.ptr()),
               static_cast<std::size_t>(PyBytes_GET_SIZE(value.ptr())));
}

// `typed` says for each field whether `read` reads all of its values; otherwise it reads those whose
// source may differ from what a reader sees. Without `read` each value is its source.
nb::bytes json_lines(nb::str text, nb::list rows, nb::bytes head, nb::list keys, nb::object read,
                     nb::list typed) {
    using namespace json;
    const bool reads = !read.is_none();
    PyObject* const object = text.ptr();
    const auto length = static_cast<std::size_t>(PyUnicode_GET_LENGTH(object));
    const auto kind = PyUnicode_KIND(object);
    const void* const data = PyUnicode_DATA(object);
    const auto append = kind == PyUnicode_1BYTE_KIND   ? &append_value<std::uint8_t>
                        : kind == PyUnicode_2BYTE_KIND ? &append_value<std::uint16_t>
                                                       : &append_value<std::uint32_t>;
    const auto doubtful = doubt_of(kind);
    std::vector<std::string> names;
    for (nb::handle key : keys) {
        const auto name = nb::cast<nb::bytes>(key);
        names.emplace_back(name.c_str(), name.size());
    }
    std::vector<bool> always(names.size(), false);
    for (std::size_t i = 0; i < names.size() && i < typed.size(); ++i) {
        always[i] = nb::cast<bool>(typed[i]);
    }
    std::vector<Bounds> row(names.size());
    std::string out;
    for (nb::handle given : rows) {
        PyObject* const fields = given.ptr();
        if (!PyTuple_Check(fields) ||
            static_cast<std::size_t>(PyTuple_GET_SIZE(fields)) != names.size()) {
            throw nb::type_error("a row holds the bounds of each field");
        }
        out.append(head.c_str(), head.size());
        for (std::size_t i = 0; i < names.size(); ++i) {
            row[i] = bounds_of(PyTuple_GET_ITEM(fields, i), length);
            out += i ? ", " : "";
            out += names[i];
            if (reads && (always[i] || (!row[i].missing && doubtful(data, row[i])))) {
                append_read(out, read, i, row[i]);
            } else if (row[i].missing) {
                out += "null";
            } else {
                append(out, data, row[i]);
            }
        }
        out += "}, \"source\": {";
        for (std::size_t i = 0; i < names.size(); ++i) {
            out += i ? ", " : "";
            out += names[i];
            if (row[i].missing) {
                out += "null";
            } else {
                append(out, data, row[i]);
            }
        }
        out += "}, \"spans\": {";
        for (std::size_t i = 0; i < names.size(); ++i) {
            out += i ? ", " : "";
            out += names[i];
            if (row[i].missing) {
                out += "null";
                continue;
            }
            out += '[';
            append_number(out, row[i].start);
            out += ", ";
            append_number(out, row[i].end);
            out += ']';
        }
        out += "}}\n";
    }
    return nb::bytes(out.data(), out.size());
}

// Whether a field of a record is a single span: several spans, nested records and None are not.
bool is_span(PyObject* field) {
    return PyTuple_Check(field) && PyTuple_GET_SIZE(field) == 2 &&
           PyLong_Check(PyTuple_GET_ITEM(field, 0)) && PyLong_Check(PyTuple_GET_ITEM(field, 1));
}

// The fields of a record: the text at a single span if a reader sees it as it is written, else None.
nb::dict plain_values(nb::str text, nb::dict spans) {
    PyObject* const object = text.ptr();
    const auto length = static_cast<std::size_t>(PyUnicode_GET_LENGTH(object));
    const auto kind = PyUnicode_KIND(object);
    const void* const data = PyUnicode_DATA(object);
    const auto doubtful = doubt_of(kind);
    nb::dict values;
    for (auto [name, field] : spans) {
        nb::object value = nb::none();
        if (is_span(field.ptr())) {
            const Bounds bounds = bounds_of(field, length);
            if (!bounds.missing && !doubtful(data, bounds)) {
                value = nb::steal(PyUnicode_Substring(object, static_cast<Py_ssize_t>(bounds.start),
                                                      static_cast<Py_ssize_t>(bounds.end)));
                if (!value.is_valid()) {
                    throw nb::python_error();
                }
            }
        }
        values[name] = value;
    }
    return values;
}

// The id and the text of a page from a line of JSON; None if the line is not in the usual form.
nb::object page_line(nb::bytes line) {
    json::PageLine page;
    if (!json::read_page_line(line.c_str(), line.size(), page)) {
        return nb::none();
    }
    nb::object read[2];
    const std::string* const parts[2] = {&page.id, &page.text};
    for (int i = 0; i < 2; ++i) {
        read[i] = nb::steal(PyUnicode_DecodeUTF8(
            parts[i]->data(), static_cast<Py_ssize_t>(parts[i]->size()), nullptr));
        if (!read[i].is_valid()) {
            PyErr_Clear();  // no UTF-8
            return nb::none();
        }
    }
    return nb::make_tuple(read[0], read[1]);
}

}  // namespace

void bind_json_lines(nb::module_& module) {
    module.def("page_line", &page_line, nb::arg("line"));
    module.def("plain_values", &plain_values, nb::arg("text"), nb::arg("spans"));
    module.def("json_lines", &json_lines, nb::arg("text"), nb::arg("rows"), nb::kw_only(),
               nb::arg("head"), nb::arg("keys"), nb::arg("read") = nb::none(),
               nb::arg("typed") = nb::list());
}

}  // namespace rowen
