#include <nanobind/nanobind.h>

#include <stdexcept>
#include <tuple>

#include <nanobind/stl/tuple.h>

#include "columns.hpp"
#include "native.hpp"
#include "substrings.hpp"

namespace nb = nanobind;

namespace rowen {
namespace {

using Numbers = Column<std::int32_t>;
using GivenNumbers = Given<std::int32_t>;

template <typename Value>
std::span<const Value> view(const Given<Value>& given) {
    return {given.data(), given.size()};
}

std::tuple<Numbers, Numbers> suffix_order(Given<std::uint32_t> codes, Given<std::uint8_t> wanted) {
    if (codes.size() != wanted.size() || codes.size() >= 0x7FFFFFFF) {
        throw nb::value_error("one mark for each of at most 2147483646 codes");
    }
    // Codes are characters, and above them one for the end of each text: memory is taken for all.
    constexpr std::size_t characters = 0x110000;
    for (const std::uint32_t code : view(codes)) {
        if (code >= characters + codes.size()) {
            throw nb::value_error("a code beyond characters and the ends of texts");
        }
    }
    substrings::Order order;
    {
        nb::gil_scoped_release unlocked;
        order = substrings::order(view(codes), view(wanted));
    }
    return {column(std::move(order.starts)), column(std::move(order.shared))};
}

std::tuple<Numbers, Numbers, Numbers, Numbers, Numbers, Numbers> substring_classes(
    GivenNumbers starts, GivenNumbers shared, GivenNumbers ends, GivenNumbers groups,
    std::size_t count, GivenNumbers weights) {
    const std::size_t size = starts.size();
    if (shared.size() != size || ends.size() != size || groups.size() != size ||
        (size ? weights.size() % size : weights.size()) != 0) {
        throw nb::value_error("one number for each suffix");
    }
    if (count == 0) {
        throw nb::value_error("no group that strings could start in");
    }
    for (std::size_t i = 0; i < size; ++i) {
        if (groups.data()[i] >= 0 && static_cast<std::size_t>(groups.data()[i]) >= count) {
            throw nb::value_error("a group beyond the last");
        }
        if (starts.data()[i] < 0 || ends.data()[i] < starts.data()[i] || shared.data()[i] < 0) {
            throw nb::value_error("a suffix ends before it starts");
        }
    }
    substrings::Classes found;
    {
        nb::gil_scoped_release unlocked;
        found = substrings::classes(view(starts), view(shared), view(ends), view(groups), count,
                                    view(weights), size ? weights.size() / size : 0);
    }
    return {column(std::move(found.from)),     column(std::move(found.until)),
            column(std::move(found.shortest)), column(std::move(found.longest)),
            column(std::move(found.first)),    column(std::move(found.heaviest))};
}

Numbers first_after(GivenNumbers starts, GivenNumbers groups, GivenNumbers from,
                    GivenNumbers until, GivenNumbers limits) {
    const auto size = static_cast<std::int32_t>(starts.size());
    if (groups.size() != starts.size() || from.size() != until.size()) {
        throw nb::value_error("one number for each suffix, two for each range");
    }
    for (std::size_t i = 0; i < from.size(); ++i) {
        if (from.data()[i] < 0 || until.data()[i] > size) {
            throw nb::value_error("a range beyond the suffixes");
        }
    }
    for (const std::int32_t group : view(groups)) {
        if (group >= 0 && static_cast<std::size_t>(group) >= limits.size()) {
            throw nb::value_error("a group beyond the last");
        }
    }
    std::vector<std::int32_t> found;
    {
        nb::gil_scoped_release unlocked;
        found = substrings::first_after(view(starts), view(groups), view(from), view(until),
                                        view(limits));
    }
    return column(std::move(found));
}

Numbers last_starts(Given<std::uint32_t> codes, std::size_t begin, std::size_t end,
                    std::size_t longest) {
    if (begin > end || end > codes.size() || longest > end - begin) {
        throw nb::value_error("a region outside the codes");
    }
    std::vector<std::int32_t> found;
    {
        nb::gil_scoped_release unlocked;
        found = substrings::last_starts(view(codes), begin, end, longest);
    }
    return column(std::move(found));
}

}  // namespace

void bind_substrings(nb::module_& module) {
    module.def("suffix_order", &suffix_order, nb::arg("codes"), nb::arg("wanted"));
    module.def("substring_classes", &substring_classes, nb::arg("starts"), nb::arg("shared"),
               nb::arg("ends"), nb::arg("groups"), nb::arg("count"), nb::arg("weights"));
    module.def("first_after", &first_after, nb::arg("starts"), nb::arg("groups"), nb::arg("from_"),
               nb::arg("until"), nb::arg("limits"));
    module.def("last_starts", &last_starts, nb::arg("codes"), nb::arg("begin"), nb::arg("end"),
               nb::arg("longest"));
}

}  // namespace rowen
