// Trees of data in scripts.
#include "data_scan.hpp"
#include "target.hpp"

namespace rowen {
namespace {

using data::Kind;

bool is_container(const data::Nodes& nodes, std::size_t node) {
    return nodes.kinds[node] <= static_cast<std::uint8_t>(Kind::array);
}

// What holds for a tree of places: subtrees are stretches of nodes, children lie in their parent
// one after the other, and only the members of objects have keys.
void check_nodes(const data::Nodes& nodes, std::size_t length, std::size_t depth) {
    const auto count = static_cast<std::int32_t>(nodes.kinds.size());
    REQUIRE(count > 0 && nodes.parents[0] == -1 && nodes.afters[0] == count);
    REQUIRE(nodes.stop >= nodes.ends[0] && static_cast<std::size_t>(nodes.stop) <= length);
    std::vector<std::int32_t> reached(nodes.kinds.size(), 0);
    std::vector<std::size_t> depths(nodes.kinds.size(), 0);
    for (std::size_t i = 0; i < nodes.kinds.size(); ++i) {
        const auto number = static_cast<std::int32_t>(i);
        REQUIRE(nodes.kinds[i] <= static_cast<std::uint8_t>(Kind::other));
        REQUIRE(0 <= nodes.starts[i] && nodes.starts[i] <= nodes.ends[i]);
        REQUIRE(static_cast<std::size_t>(nodes.ends[i]) <= length);
        REQUIRE(nodes.afters[i] > number && nodes.afters[i] <= count);
        if (!is_container(nodes, i)) REQUIRE(nodes.afters[i] == number + 1);
        reached[i] = nodes.starts[i];
        if (i == 0) continue;
        const auto parent = static_cast<std::size_t>(nodes.parents[i]);
        REQUIRE(parent < i && is_container(nodes, parent));
        REQUIRE(nodes.afters[i] <= nodes.afters[parent]);
        depths[i] = depths[parent] + 1;
        REQUIRE(depths[i] <= depth);
        const bool keyed = nodes.kinds[parent] == static_cast<std::uint8_t>(Kind::object);
        REQUIRE((nodes.key_starts[i] >= 0) == keyed);
        const std::int32_t first = keyed ? nodes.key_starts[i] : nodes.starts[i];
        REQUIRE(first >= reached[parent] && nodes.key_starts[i] <= nodes.key_ends[i]);
        REQUIRE(nodes.ends[i] <= nodes.ends[parent]);
        reached[parent] = nodes.ends[i];
    }
}

}  // namespace

FUZZ_TARGET(data_scan) {
    const std::uint8_t width = bytes.byte();
    const std::size_t depth = bytes.byte();
    const std::size_t most = bytes.byte() ? bytes.size() : bytes.size() / 2;
    const auto text = bytes.take(bytes.size());
    fuzz::with_width(width, text, [&](const auto& codes) {
        const data::Nodes nodes = data::scan(codes.data(), 0, codes.size(), depth, most);
        if (nodes.outcome == data::Outcome::complete) {
            check_nodes(nodes, codes.size(), depth);
            REQUIRE(nodes.kinds.size() <= most);
            // What was read is all that decides: the same text without what follows it.
            const auto stop = static_cast<std::size_t>(nodes.stop);
            const data::Nodes again = data::scan(codes.data(), 0, stop, depth, most);
            REQUIRE(again.kinds == nodes.kinds && again.ends == nodes.ends);
        } else {
            REQUIRE(nodes.kinds.empty());
        }
    });
}

}  // namespace rowen
