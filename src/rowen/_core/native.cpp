// The Python face of the kernels: arguments in, numpy arrays out, no policy.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <limits>
#include <optional>
#include <tuple>

#include "html_tokens.hpp"

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

}  // namespace

NB_MODULE(native, module) {
    module.doc() = "Kernels in C++; rowen._core says what each of them gives.";
    module.def("html_tokens", &html_tokens, nb::arg("text"), nb::kw_only(),
               nb::arg("hint_starts") = nb::none(), nb::arg("hints") = nb::none());
}
