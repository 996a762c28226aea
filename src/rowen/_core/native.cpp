// The Python face of the kernels: arguments in, numpy arrays out, no policy.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "html_tokens.hpp"
#include "json_lines.hpp"

namespace nb = nanobind;

namespace {

template <typename Value>
using Column = nb::ndarray<nb::numpy, Value, nb::ndim<1>>;

template <typename Value>
using Given = nb::ndarray<const Value, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Hands a vector's memory to numpy.
template <typename Value>
Column<Value> column(std::vector<Value>&& values) {
    auto* kept = new std::vector<Value>(std::move(values));
    nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<Value>*>(p); });
    return Column<Value>(kept->data(), {kept->size()}, owner);
}

using HtmlTokens =
    std::tuple<Column<std::uint8_t>, Column<std::uint8_t>, Column<std::int32_t>,
               Column<std::int32_t>, Column<std::int32_t>, Column<std::int32_t>>;

HtmlTokens html_tokens(nb::str text, std::optional<Given<std::int32_t>> hint_starts,
                       std::optional<Given<std::uint8_t>> hints) {
    using namespace rowen::html;
    PyObject* const object = text.ptr();
    const auto length = static_cast<std::size_t>(PyUnicode_GET_LENGTH(object));
    if (length > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
        throw nb::value_error("a text of more than 2147483647 characters can't be tokenized");
    }
    if (hint_starts.has_value() != hints.has_value() ||
        (hints && hints->size() != hint_starts->size())) {
        throw nb::value_error("each hint needs the start of its tag");
    }
    Hints given;
    if (hints) {
        given.starts = {hint_starts->data(), hint_starts->size()};
        given.hints = {hints->data(), hints->size()};
    }
    const Hints* const known = hints ? &given : nullptr;
    const auto kind = PyUnicode_KIND(object);
    const void* const data = PyUnicode_DATA(object);
    Tokens tokens;
    {
        // The text can't change and `text` holds it, so its memory may be read without the lock.
        nb::gil_scoped_release unlocked;
        if (kind == PyUnicode_1BYTE_KIND) {
            tokens = tokenize(static_cast<const std::uint8_t*>(data), length, known);
        } else if (kind == PyUnicode_2BYTE_KIND) {
            tokens = tokenize(static_cast<const std::uint16_t*>(data), length, known);
        } else {
            tokens = tokenize(static_cast<const std::uint32_t*>(data), length, known);
        }
    }
    return {column(std::move(tokens.kinds)),           column(std::move(tokens.flags)),
            column(std::move(tokens.bounds)),          column(std::move(tokens.name_ends)),
            column(std::move(tokens.attributes_from)), column(std::move(tokens.attributes))};
}

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
    rowen::json::append_string(out, static_cast<const Char*>(data) + bounds.start,
                               bounds.end - bounds.start);
}

nb::bytes json_lines(nb::str text, nb::list rows, nb::bytes head, nb::list keys) {
    using namespace rowen::json;
    PyObject* const object = text.ptr();
    const auto length = static_cast<std::size_t>(PyUnicode_GET_LENGTH(object));
    const auto kind = PyUnicode_KIND(object);
    const void* const data = PyUnicode_DATA(object);
    const auto append = kind == PyUnicode_1BYTE_KIND   ? &append_value<std::uint8_t>
                        : kind == PyUnicode_2BYTE_KIND ? &append_value<std::uint16_t>
                                                       : &append_value<std::uint32_t>;
    std::vector<std::string> names;
    for (nb::handle key : keys) {
        const auto name = nb::cast<nb::bytes>(key);
        names.emplace_back(name.c_str(), name.size());
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
        out += "}, \"children\": []}\n";
    }
    return nb::bytes(out.data(), out.size());
}

}  // namespace

NB_MODULE(native, module) {
    module.doc() = "Kernels in C++; rowen._core says what each of them gives.";
    module.def("html_tokens", &html_tokens, nb::arg("text"), nb::kw_only(),
               nb::arg("hint_starts") = nb::none(), nb::arg("hints") = nb::none());
    module.def("json_lines", &json_lines, nb::arg("text"), nb::arg("rows"), nb::kw_only(),
               nb::arg("head"), nb::arg("keys"));
}
