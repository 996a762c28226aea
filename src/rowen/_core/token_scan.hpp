// A token wrapper run over an outline: rowen.wrappers.token.wrapper says what it means.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "html_outline.hpp"

namespace rowen::token {

using Index = std::int32_t;
using Bounds = std::pair<Index, Index>;
using Tags = std::vector<Index>;

struct Attribute {
    std::uint64_t name, value;
};

struct Tag {
    std::uint64_t name;
    std::vector<Attribute> attributes;
    std::optional<std::int64_t> place;  // among the tags of its name in the element around it
};

// What has to stand `by` tags further on: a tag, or the text of a slot, or anything at all.
struct Step {
    std::int64_t by;
    std::optional<Tag> tag;
    std::optional<std::uint64_t> text;
};

// The first step is the tag itself.
using Landmark = std::vector<Step>;

struct Cut {
    std::optional<std::uint64_t> attribute;
    std::optional<std::u32string> left, right;
    bool last;
    std::optional<std::uint64_t> until;
    bool exact, element;
    bool open;  // without `right` in the text the value ends where the text does
    bool phrase;
    std::vector<std::uint64_t> missing;  // digests of texts that say that there is no value
    std::vector<Attribute> run;  // names of children with their classes: from the first to the last
    bool outer;                  // with the tags at the edges of a run
};

struct Rule {
    Landmark item;
    Cut cut;
    std::optional<Landmark> container;
    bool otherwise;  // only where the rules before it find nothing on the page
};

struct Boundary {
    Tag tag;
    std::optional<Tag> parent;
};

enum class Take : std::uint8_t { all, first, last };

struct Field {
    std::vector<Rule> rules;
    Take take;
    bool several;  // several values in a record are nothing special
    bool counts;   // towards what a record needs
};

struct Program {
    std::optional<Boundary> record;
    std::vector<Field> fields;
    std::size_t required;  // how many fields every example has
};

struct Value {
    Index start, end, tag;
    auto operator<=>(const Value&) const = default;
};

// Row after row the values of each field; those of cell i end at ends[i], and the next one's begin.
struct Rows {
    std::vector<Value> values;
    std::vector<std::size_t> ends{0};
};

template <typename Char>
class Scanner {
public:
    Scanner(const Char* text, std::size_t length, const html::Outline& outline);

    // All tags that stand at a landmark.
    Tags find(const Landmark& landmark);

    // From each tag that begins a record to the one at which it has ended.
    std::vector<Bounds> stretches(const Boundary& boundary);

    // Where the value stands after or in a tag; none where nothing is left.
    std::optional<Bounds> cut(const Cut& cut, Index tag);

    // The values of a rule on the whole page, in page order.
    std::vector<Value> values(const Rule& rule);

    Rows rows(const Program& program);

    // The place of each cell of a table in its row; 0 for all other tags.
    std::vector<Index> cell_places() {
        place_cells();
        return places_;
    }

private:
    bool is(Index at, const Tag& tag, bool placed);
    bool stands(Index tag, const Landmark& landmark);
    bool has(Index tag, const Attribute& attribute) const;
    bool carries(Index tag, std::uint64_t name) const;
    Index place(Index tag);
    void place_cells();
    Index number(Index tag, std::uint64_t name, Index most, Index zero) const;
    Index start_of(Index tag) const;
    std::optional<Bounds> taken(const Cut& cut, Index tag);
    std::optional<Bounds> around(const Cut& cut, Index tag);
    std::optional<Bounds> attribute(Index tag, std::uint64_t name) const;
    std::optional<Bounds> content(Index tag);
    std::optional<Bounds> content(Index tag, Index end);
    std::optional<Bounds> phrase(Index tag);
    std::optional<Bounds> run(const Cut& cut, Index tag);
    std::uint64_t class_of(Index tag) const;
    Index next_named(Index tag, std::uint64_t name);
    std::uint64_t attribute_name(Index attribute) const;
    std::uint64_t attribute_value(Index attribute) const;
    std::vector<Value> values(const Field& field);
    void choose(const Field& field, const Value* first, const Value* last, std::vector<Value>& into);
    std::vector<bool> in_their_tables(const std::vector<Bounds>& stretches, const std::vector<bool>& complete);

    const Char* const text_;
    const std::size_t length_;
    const html::Outline& outline_;
    const Index size_;
    Tags full_;                          // the slots that have text, when they are asked for
    bool full_known_ = false;
    std::vector<Index> places_;          // of the tags whose names are known to have places
    std::vector<std::uint64_t> placed_;  // these names
    bool cells_placed_ = false;
    Tags named_;                         // all tags of that name
    std::optional<std::uint64_t> named_as_;
};

}  // namespace rowen::token
