// Quiet places, compared with a plain simulation of the automaton over the whole of both texts.
#include <optional>
#include <set>

#include "quiet.hpp"
#include "target.hpp"

namespace rowen {
namespace {

using fuzz::Bytes;

struct Automaton {
    std::vector<std::uint8_t> kinds;
    std::vector<std::vector<quiet::States>> onward;
    std::vector<quiet::States> begun;
    std::size_t states = 0;
};

Automaton automaton_of(Bytes& bytes) {
    Automaton made;
    made.states = 1 + bytes.byte() % 6;
    const std::size_t kinds = 1 + bytes.byte() % 4;
    for (std::size_t i = 0; i < 9; ++i) made.kinds.push_back(bytes.byte() % kinds);
    const auto drawn = [&] {
        quiet::States states;
        const std::uint8_t bits = bytes.byte() & bytes.byte();
        for (std::size_t i = 0; i < made.states; ++i) {
            if (bits >> i & 1) states.set(i);
        }
        return states;
    };
    for (std::size_t kind = 0; kind < kinds; ++kind) {
        made.onward.emplace_back();
        for (std::size_t i = 0; i < made.states; ++i) made.onward.back().push_back(drawn());
        made.begun.push_back(drawn());
    }
    return made;
}

// Whether no attempt goes on over each character of a text.
template <typename Char>
std::vector<bool> quiet_places(const Automaton& automaton, const std::vector<Char>& text) {
    std::vector<bool> found;
    std::set<std::size_t> active;
    for (const Char code : text) {
        const std::size_t kind = automaton.kinds[std::min<std::size_t>(code, 8)];
        std::set<std::size_t> after;
        for (const std::size_t state : active) {
            automaton.onward[kind][state].each([&](std::size_t target) { after.insert(target); });
        }
        found.push_back(after.empty());
        automaton.begun[kind].each([&](std::size_t state) { after.insert(state); });
        active = std::move(after);
    }
    return found;
}

FUZZ_TARGET(quiet) {
    const std::uint8_t width = bytes.byte();
    const Automaton automaton = automaton_of(bytes);
    quiet::Reach reach{};
    reach.behind = bytes.byte() % 3;
    reach.ahead = bytes.byte() % 3;
    reach.window = 1 + bytes.byte() % 8;
    reach.searched = reach.window + bytes.byte() % 40;
    reach.longest = std::int64_t{1} << 30;  // matches have no bound
    const std::size_t nodes = 2 + bytes.byte() % 9;
    // Both texts are made of parts: what a part with an even number has is in both of them.
    std::vector<std::uint8_t> old_bytes, new_bytes;
    std::vector<quiet::Region> regions;
    for (std::size_t number = bytes.byte() % 2; !bytes.empty(); ++number) {
        auto part = bytes.take(1 + bytes.byte() % 30);
        for (std::uint8_t& byte : part) byte = byte >= 0xF0 ? byte : byte % 10;
        if (number % 2 == 0) {
            regions.push_back({static_cast<std::int64_t>(new_bytes.size()),
                               static_cast<std::int64_t>(old_bytes.size()),
                               static_cast<std::int64_t>(part.size())});
            old_bytes.insert(old_bytes.end(), part.begin(), part.end());
        }
        auto& changed = number % 4 == 1 ? old_bytes : new_bytes;
        changed.insert(changed.end(), part.begin(), part.end());
    }
    fuzz::with_width(width, new_bytes, [&](const auto& text) {
        fuzz::with_width(width / 3, old_bytes, [&](const auto& old) {
            const auto size = static_cast<std::int64_t>(text.size());
            const auto old_size = static_cast<std::int64_t>(old.size());
            // Characters that another width says differently are in no region.
            std::vector<quiet::Region> equal;
            for (const auto& region : regions) {
                bool same = true;
                for (std::int64_t i = 0; i < region.length; ++i) {
                    same = same && text[static_cast<std::size_t>(region.start + i)] ==
                                       old[static_cast<std::size_t>(region.old_start + i)];
                }
                if (same) equal.push_back(region);
            }
            quiet::Walker walker(automaton.kinds, automaton.onward, automaton.begun, nodes);
            const quiet::Copies copies =
                quiet::copies(walker, text.data(), size, old.data(), old_size, equal.data(),
                              equal.size(), reach);
            const auto is_quiet = quiet_places(automaton, text);
            const auto was_quiet = quiet_places(automaton, old);
            REQUIRE(copies.rows.size() % 3 == 0);
            REQUIRE(copies.removals.size() / 2 == copies.rows.size() / 3);
            std::int64_t removed = 0;
            for (std::size_t i = 0; i < copies.rows.size(); i += 3) {
                const std::int64_t first = copies.rows[i], last = copies.rows[i + 1];
                const std::int64_t shift = copies.rows[i + 2];
                const std::int64_t start = first + shift, end = last + shift;
                REQUIRE(0 <= first && first < last && last <= old_size);
                REQUIRE(0 <= start && end <= size);
                for (std::int64_t at = first; at < last; ++at) {
                    REQUIRE(text[static_cast<std::size_t>(at + shift)] ==
                            old[static_cast<std::size_t>(at)]);
                }
                // No attempt crosses an edge of what is copied, on either page.
                REQUIRE((start == 0 && first == 0) || (is_quiet[static_cast<std::size_t>(start)] &&
                                                       was_quiet[static_cast<std::size_t>(first)]));
                REQUIRE((end == size && last == old_size) ||
                        (is_quiet[static_cast<std::size_t>(end)] &&
                         was_quiet[static_cast<std::size_t>(last)]));
                const std::size_t row = i / 3 * 2;
                REQUIRE(copies.removals[row] == std::max(start, removed));
                REQUIRE(copies.removals[row + 1] == std::max(end, removed));
                removed = std::max(end, removed);
            }
        });
    });
}

}  // namespace
}  // namespace rowen
