#include <nanobind/nanobind.h>

#include "native.hpp"
#include "scan.hpp"

namespace nb = nanobind;

namespace rowen {
namespace {

using namespace scan;

template <typename Char>
void append(std::string& bytes, Py_UCS4 code) {
    const auto stored = static_cast<Char>(code);
    bytes.append(reinterpret_cast<const char*>(&stored), sizeof stored);
}

Needle needle_of(nb::handle given, int kind) {
    Needle needle;
    if (given.is_none()) {
        return needle;
    }
    PyObject* const object = given.ptr();
    if (!PyUnicode_Check(object)) {
        throw nb::type_error("a delimiter is a string");
    }
    needle.given = true;
    const Py_ssize_t length = PyUnicode_GET_LENGTH(object);
    for (Py_ssize_t i = 0; i < length; ++i) {
        const Py_UCS4 code = PyUnicode_READ_CHAR(object, i);
        if (kind == PyUnicode_1BYTE_KIND) {
            needle.possible = needle.possible && code < 0x100;
            append<std::uint8_t>(needle.bytes, code);
        } else if (kind == PyUnicode_2BYTE_KIND) {
            needle.possible = needle.possible && code < 0x10000;
            append<std::uint16_t>(needle.bytes, code);
        } else {
            append<std::uint32_t>(needle.bytes, code);
        }
    }
    return needle;
}

std::vector<Needle> needles_of(nb::sequence given, int kind) {
    std::vector<Needle> needles;
    for (nb::handle one : given) {
        needles.push_back(needle_of(one, kind));
        if (!needles.back().given || needles.back().bytes.empty()) {
            throw nb::value_error("the delimiters of a field can't be empty");
        }
    }
    return needles;
}

nb::object pair_of(std::size_t start, std::size_t end) {
    PyObject* const pair = PyTuple_New(2);
    PyTuple_SET_ITEM(pair, 0, PyLong_FromSize_t(start));
    PyTuple_SET_ITEM(pair, 1, PyLong_FromSize_t(end));
    return nb::steal(pair);
}

nb::list rows_of(const Found& found, std::size_t fields) {
    nb::list rows;
    for (std::size_t at = 0; at < found.bounds.size(); at += 2 * fields) {
        PyObject* const row = PyTuple_New(static_cast<Py_ssize_t>(fields));
        for (std::size_t k = 0; k < fields; ++k) {
            const std::size_t* const bounds = &found.bounds[at + 2 * k];
            PyTuple_SET_ITEM(row, static_cast<Py_ssize_t>(k),
                             pair_of(bounds[0], bounds[1]).release().ptr());
        }
        rows.append(nb::steal(row));
    }
    return rows;
}

nb::tuple scan_table(nb::str text, nb::sequence left, nb::sequence right, nb::object head,
                     nb::object tail, nb::object open, nb::object close) {
    PyObject* const object = text.ptr();
    const int kind = PyUnicode_KIND(object);
    Delimiters delimiters{needle_of(head, kind),  needle_of(tail, kind),  needle_of(open, kind),
                          needle_of(close, kind), needles_of(left, kind), needles_of(right, kind)};
    const std::size_t fields = delimiters.left.size();
    if (fields == 0 || fields != delimiters.right.size()) {
        throw nb::value_error("each field has a left and a right delimiter");
    }
    for (const Needle* needle : {&delimiters.tail, &delimiters.open}) {
        if (needle->given && needle->bytes.empty()) {
            throw nb::value_error("tail and open can't be empty");
        }
    }
    const auto* const data = static_cast<const char*>(PyUnicode_DATA(object));
    const auto length = static_cast<std::size_t>(PyUnicode_GET_LENGTH(object));
    Found found;
    {
        // The text can't change and `text` holds it, so its memory may be read without the lock.
        nb::gil_scoped_release unlocked;
        found = scan::scan(data, length, static_cast<std::size_t>(kind), delimiters);
    }
    static constexpr const char* names[] = {nullptr, "head", "left", "right", "close"};
    const char* const missing = names[static_cast<std::size_t>(found.missing)];
    return nb::make_tuple(rows_of(found, fields),
                          missing ? nb::object(nb::str(missing)) : nb::object(nb::none()),
                          found.field);
}

}  // namespace

void bind_scan(nb::module_& module) {
    module.def("scan_table", &scan_table, nb::arg("text"), nb::arg("left"), nb::arg("right"),
               nb::kw_only(), nb::arg("head").none(), nb::arg("tail").none(),
               nb::arg("open").none(), nb::arg("close").none());
}

}  // namespace rowen
