#include "quiet.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "columns.hpp"
#include "native.hpp"
#include "storage.hpp"

namespace nb = nanobind;

namespace rowen {
namespace {

using Numbers = std::vector<std::uint32_t>;
using quiet::States;
using quiet::Walker;

States states_of(const Numbers& numbers, std::size_t count) {
    States states;
    for (const std::uint32_t state : numbers) {
        if (state >= count) {
            throw nb::value_error("there is no such state");
        }
        states.set(state);
    }
    return states;
}

Walker walker_of(const Numbers& kinds, const std::vector<std::vector<Numbers>>& onward,
                 const std::vector<Numbers>& begun, std::size_t most_nodes) {
    if (kinds.empty() || onward.empty() || onward.size() != begun.size() || onward.size() > 256 ||
        most_nodes < 2) {
        throw nb::value_error("an automaton has steps and starts for each kind of character");
    }
    const std::size_t count = onward[0].size();
    if (count > quiet::most_states) {
        throw nb::value_error("an automaton has at most 256 states");
    }
    std::vector<Walker::Kind> own;
    for (const std::uint32_t kind : kinds) {
        if (kind >= onward.size()) {
            throw nb::value_error("there is no such kind of characters");
        }
        own.push_back(static_cast<Walker::Kind>(kind));
    }
    std::vector<std::vector<States>> steps;
    std::vector<States> starts;
    for (std::size_t kind = 0; kind < onward.size(); ++kind) {
        if (onward[kind].size() != count) {
            throw nb::value_error("an automaton has steps from each state");
        }
        steps.emplace_back();
        for (const Numbers& targets : onward[kind]) {
            steps.back().push_back(states_of(targets, count));
        }
        starts.push_back(states_of(begun[kind], count));
    }
    return {std::move(own), std::move(steps), std::move(starts), most_nodes};
}

using Regions = nb::ndarray<const std::int64_t, nb::shape<-1, 3>, nb::c_contig, nb::device::cpu>;

// Two texts in at most nine pairs of storages. The lock stays: the automaton learns.
std::pair<Column<std::int64_t>, Column<std::int64_t>> copies(
    Walker& walker, nb::str old, nb::str text, Regions regions, std::int64_t behind,
    std::int64_t ahead, std::int64_t longest, std::int64_t window, std::int64_t searched) {
    if (behind < 0 || ahead < 0 || longest < 1 || window < 1 || searched < window ||
        std::max({behind, ahead, longest, searched}) > std::int64_t{1} << 40) {
        throw nb::value_error("lengths are positive, and less than 2^40");
    }
    const auto* const rows = reinterpret_cast<const quiet::Region*>(regions.data());
    const std::size_t count = regions.shape(0);
    const auto size = static_cast<std::int64_t>(PyUnicode_GET_LENGTH(text.ptr()));
    const auto old_size = static_cast<std::int64_t>(PyUnicode_GET_LENGTH(old.ptr()));
    for (std::size_t i = 0; i < count; ++i) {
        const auto& [start, old_start, length] = rows[i];
        if (start < 0 || old_start < 0 || length < 0 || start > size || old_start > old_size ||
            length > size - start || length > old_size - old_start) {
            throw nb::value_error("a region lies inside both texts");
        }
    }
    const quiet::Reach reach{behind, ahead, longest, window, searched};
    quiet::Copies found = with_storage(text, [&](const auto* data, std::size_t) {
        return with_storage(old, [&](const auto* old_data, std::size_t) {
            return quiet::copies(walker, data, size, old_data, old_size, rows, count, reach);
        });
    });
    return {column(std::move(found.rows)), column(std::move(found.removals))};
}

}  // namespace

void bind_quiet(nb::module_& module) {
    nb::class_<Walker>(module, "QuietPlaces")
        .def(
            "__init__",
            [](Walker* self, const Numbers& kinds, const std::vector<std::vector<Numbers>>& onward,
               const std::vector<Numbers>& begun, std::size_t most_nodes) {
                new (self) Walker(walker_of(kinds, onward, begun, most_nodes));
            },
            nb::arg("kinds"), nb::arg("onward"), nb::arg("begun"), nb::arg("most_nodes"))
        .def("copies", &copies, nb::arg("old"), nb::arg("text"), nb::arg("regions"), nb::kw_only(),
             nb::arg("behind"), nb::arg("ahead"), nb::arg("longest"), nb::arg("window"),
             nb::arg("searched"));
}

}  // namespace rowen
