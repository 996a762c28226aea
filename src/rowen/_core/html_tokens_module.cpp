#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <limits>
#include <optional>
#include <tuple>

#include "columns.hpp"
#include "html_tokens.hpp"
#include "native.hpp"

namespace nb = nanobind;

namespace rowen {
namespace {

using HtmlTokens =
    std::tuple<Column<std::uint8_t>, Column<std::uint8_t>, Column<std::int32_t>,
               Column<std::int32_t>, Column<std::int32_t>, Column<std::int32_t>>;

void check_length(std::size_t length) {
    if (length > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
        throw nb::value_error("a text of more than 2147483647 characters can't be tokenized");
    }
}

HtmlTokens html_tokens(nb::str text, std::optional<Given<std::int32_t>> hint_starts,
                       std::optional<Given<std::uint8_t>> hints) {
    using namespace html;
    PyObject* const object = text.ptr();
    const auto length = static_cast<std::size_t>(PyUnicode_GET_LENGTH(object));
    check_length(length);
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

std::tuple<int, int, std::size_t, std::size_t> html_token_at(nb::str text, std::size_t place) {
    PyObject* const object = text.ptr();
    const auto length = static_cast<std::size_t>(PyUnicode_GET_LENGTH(object));
    check_length(length);
    if (place >= length) {
        throw nb::index_error("not a place in the text");
    }
    const auto kind = PyUnicode_KIND(object);
    const void* const data = PyUnicode_DATA(object);
    nb::gil_scoped_release unlocked;
    const html::Token token =
        kind == PyUnicode_1BYTE_KIND
            ? html::token_at(static_cast<const std::uint8_t*>(data), length, place)
        : kind == PyUnicode_2BYTE_KIND
            ? html::token_at(static_cast<const std::uint16_t*>(data), length, place)
            : html::token_at(static_cast<const std::uint32_t*>(data), length, place);
    return {static_cast<int>(token.kind), token.flags, token.start, token.end};
}

}  // namespace

void bind_html_tokens(nb::module_& module) {
    module.def("html_tokens", &html_tokens, nb::arg("text"), nb::kw_only(),
               nb::arg("hint_starts") = nb::none(), nb::arg("hints") = nb::none());
    module.def("html_token_at", &html_token_at, nb::arg("text"), nb::arg("place"));
}

}  // namespace rowen
