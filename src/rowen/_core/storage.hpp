// The memory in which Python keeps a string: one, two or four bytes a character.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>

namespace rowen {

// Calls a function template with the storage of a Python string.
template <typename Function>
auto with_storage(nanobind::str text, Function function) {
    PyObject* const object = text.ptr();
    const auto length = static_cast<std::size_t>(PyUnicode_GET_LENGTH(object));
    const void* const data = PyUnicode_DATA(object);
    switch (PyUnicode_KIND(object)) {
        case PyUnicode_1BYTE_KIND:
            return function(static_cast<const std::uint8_t*>(data), length);
        case PyUnicode_2BYTE_KIND:
            return function(static_cast<const std::uint16_t*>(data), length);
        default:
            return function(static_cast<const std::uint32_t*>(data), length);
    }
}

}  // namespace rowen
