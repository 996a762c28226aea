#include "token_scan.hpp"

#include <algorithm>
#include <iterator>
#include <unordered_map>

namespace rowen::token {
namespace {

constexpr std::size_t many = 2;  // an element with so many complete records is a table

std::size_t at(Index index) { return static_cast<std::size_t>(index); }

constexpr Index phrase_tags = 64;  // a phrase with more tags than this is hostile or no phrase
constexpr std::size_t reaching_cells = 256;  // more cells of other rows in a row are hostile
constexpr Index most_columns = 1000, most_rows = 65534;  // as in browsers
constexpr std::uint64_t end_bit = std::uint64_t{1} << 63;
constexpr std::uint64_t others = 16;  // digests below are the page's start, comments and doctypes

using Names = std::vector<std::uint64_t>;

Names digests_of(std::initializer_list<std::string> names) {
    Names digests;
    for (const std::string& one : names) {
        digests.push_back(
            html::name_digest(reinterpret_cast<const std::uint8_t*>(one.data()), one.size()));
    }
    return digests;
}

bool is_in(const Names& names, std::uint64_t name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

// Tags that come in numbers: the first one of them brings those beside it along.
bool comes_in_numbers(std::uint64_t name) {
    static const Names names = digests_of({"a", "li", "dd"});
    return is_in(names, name);
}

// Tags that change how a part of a text looks and say nothing about what it is, and comments.
bool is_formatting(std::uint64_t name) {
    static const Names names =
        digests_of({"b", "br", "cite", "code", "dfn", "em", "i", "kbd", "mark", "q", "samp", "strong",
                    "sub", "sup", "u", "var", "wbr"});
    return name < others || is_in(names, name & end_bit ? ~name : name);
}

}  // namespace

template <typename Char>
Scanner<Char>::Scanner(const Char* text, std::size_t length, const html::Outline& outline)
    : text_(text), length_(length), outline_(outline), size_(static_cast<Index>(outline.names.size())) {}

template <typename Char>
Tags Scanner<Char>::find(const Landmark& landmark) {
    Tags found;
    const auto name = landmark.front().tag->name;
    for (Index tag = 0; tag < size_; ++tag) {
        if (outline_.names[at(tag)] == name && stands(tag, landmark)) found.push_back(tag);
    }
    return found;
}

template <typename Char>
bool Scanner<Char>::stands(Index tag, const Landmark& landmark) {
    for (const Step& step : landmark) {  // names first: they are at hand, the rest has to be read
        if (step.by < -std::int64_t{tag} || step.by >= std::int64_t{size_} - tag) return false;
        const std::int64_t there = tag + step.by;
        if (step.tag && outline_.names[static_cast<std::size_t>(there)] != step.tag->name) return false;
    }
    for (const Step& step : landmark) {
        const auto index = static_cast<Index>(tag + step.by);
        if (step.tag && !is(index, *step.tag, true)) return false;
        if (step.text) {
            const Index start = outline_.slot_starts[at(index)];
            const Index end = outline_.slot_ends[at(index)];
            if ((start == end) != (*step.text == 0)) return false;
            if (html::text_digest(text_ + start, at(end - start)) != *step.text) return false;
        }
    }
    return true;
}

template <typename Char>
bool Scanner<Char>::is(Index index, const Tag& tag, bool placed) {
    if (outline_.names[at(index)] != tag.name) return false;
    for (const Attribute& one : tag.attributes) {
        if (!has(index, one)) return false;
    }
    return !placed || !tag.place || place(index) == *tag.place;
}

template <typename Char>
std::uint64_t Scanner<Char>::attribute_name(Index index) const {
    const Index* const bounds = &outline_.attributes[4 * at(index)];
    return html::name_digest(text_ + bounds[0], at(bounds[1] - bounds[0]));
}

template <typename Char>
std::uint64_t Scanner<Char>::attribute_value(Index index) const {
    const Index* const bounds = &outline_.attributes[4 * at(index)];
    return bounds[2] < 0 ? 0 : html::text_digest(text_ + bounds[2], at(bounds[3] - bounds[2]));
}

template <typename Char>
bool Scanner<Char>::has(Index tag, const Attribute& attribute) const {
    for (Index i = outline_.attributes_from[at(tag)]; i < outline_.attributes_from[at(tag) + 1]; ++i) {
        if (attribute_name(i) == attribute.name && attribute_value(i) == attribute.value) return true;
    }
    return false;
}

template <typename Char>
bool Scanner<Char>::carries(Index tag, std::uint64_t name) const {
    for (Index i = outline_.attributes_from[at(tag)]; i < outline_.attributes_from[at(tag) + 1]; ++i) {
        if (attribute_name(i) == name && attribute_value(i) != 0) return true;
    }
    return false;
}

// Cells of tables count as they stand in the grid: one that spans columns counts as many, and one
// of a row above that reaches into the row counts there as well.
template <typename Char>
void Scanner<Char>::place_cells() {
    struct Reaching {
        Index column, width, rows;
        bool is_head;
    };
    struct Section {  // the rows of one element, of which one is being read
        Index row = -1, column = 0, before[2] = {0, 0};
        std::size_t passed = 0;
        std::vector<Reaching> reaching, own;
    };
    static const Names names = digests_of({"tr", "td", "th", "rowspan", "colspan"});
    std::unordered_map<Index, Section> sections;
    std::unordered_map<Index, Index> strays[2];  // cells in no row: counted by the element around them
    places_.resize(at(size_));
    for (Index tag = 0; tag < size_; ++tag) {
        const auto name = outline_.names[at(tag)];
        if (name == names[0]) {
            Section& section = sections[outline_.parents[at(tag)]];
            auto& left = section.reaching;
            for (Reaching& cell : left) --cell.rows;
            std::erase_if(left, [](const Reaching& cell) { return cell.rows <= 0; });
            left.insert(left.end(), section.own.begin(), section.own.end());
            std::stable_sort(left.begin(), left.end(),
                      [](const Reaching& a, const Reaching& b) { return a.column < b.column; });
            if (left.size() > reaching_cells) left.resize(reaching_cells);
            section.row = tag;
            section.column = section.before[0] = section.before[1] = 0;
            section.passed = 0;
            section.own.clear();
        } else if (name == names[1] || name == names[2]) {
            const bool is_head = name == names[2];
            const Index row = outline_.parents[at(tag)];
            const auto found = sections.find(outline_.parents[at(row)]);
            if (found == sections.end() || found->second.row != row) {
                places_[at(tag)] = ++strays[is_head][row];
                continue;
            }
            Section& section = found->second;
            while (section.passed < section.reaching.size() &&
                   section.reaching[section.passed].column <= section.column) {
                const Reaching& cell = section.reaching[section.passed++];
                // Where cells overlap, the one that begins first has the columns.
                const Index end = std::max(section.column, cell.column + cell.width);
                section.before[cell.is_head] += end - section.column;
                section.column = end;
            }
            const Index width = number(tag, names[4], most_columns, 1);
            const Index rows = number(tag, names[3], most_rows, most_rows);
            places_[at(tag)] = ++section.before[is_head];
            section.before[is_head] += width - 1;
            if (rows > 1 && section.own.size() < reaching_cells) {
                section.own.push_back({section.column, width, rows - 1, is_head});
            }
            section.column += width;
        }
    }
    cells_placed_ = true;
}

// The number that an attribute begins with, at most `most`; `zero` for 0, and 1 without one.
template <typename Char>
Index Scanner<Char>::number(Index tag, std::uint64_t name, Index most, Index zero) const {
    const auto bounds = attribute(tag, name);
    if (!bounds) return 1;
    Index from = bounds->first, value = 0;
    while (from < bounds->second && html::is_space(text_[from])) ++from;
    const Index first = from;
    for (; from < bounds->second && text_[from] >= '0' && text_[from] <= '9'; ++from) {
        value = std::min<Index>(most, value * 10 + static_cast<Index>(text_[from] - '0'));
    }
    if (from == first) return 1;
    return value == 0 ? zero : value;
}

// Counted for all tags of a name at once.
template <typename Char>
Index Scanner<Char>::place(Index tag) {
    const auto name = outline_.names[at(tag)];
    static const Names cells = digests_of({"td", "th"});
    if (is_in(cells, name)) {
        if (!cells_placed_) place_cells();
        return places_[at(tag)];
    }
    if (std::find(placed_.begin(), placed_.end(), name) == placed_.end()) {
        placed_.push_back(name);
        places_.resize(at(size_));
        std::vector<Index> counts(at(size_));
        for (std::size_t i = 0; i < at(size_); ++i) {
            if (outline_.names[i] == name) places_[i] = ++counts[at(outline_.parents[i])];
        }
    }
    return places_[at(tag)];
}

template <typename Char>
Index Scanner<Char>::start_of(Index tag) const {
    return tag < size_ ? outline_.starts[at(tag)] : static_cast<Index>(length_);
}

template <typename Char>
std::vector<Bounds> Scanner<Char>::stretches(const Boundary& boundary) {
    std::vector<Bounds> found;
    for (Index tag = 0; tag < size_; ++tag) {
        if (!is(tag, boundary.tag, true)) continue;
        const Index parent = outline_.parents[at(tag)];
        if (boundary.parent && !is(parent, *boundary.parent, false)) continue;
        if (!found.empty()) found.back().second = std::min(found.back().second, tag);
        found.emplace_back(tag, std::max(outline_.closes[at(parent)], tag + 1));
    }
    return found;
}

template <typename Char>
std::optional<Bounds> Scanner<Char>::cut(const Cut& cut, Index tag) {
    const auto value = taken(cut, tag);
    if (!value || cut.missing.empty()) return value;
    const auto digest = html::text_digest(text_ + value->first, at(value->second - value->first));
    return is_in(cut.missing, digest) ? std::nullopt : value;
}

template <typename Char>
std::optional<Bounds> Scanner<Char>::taken(const Cut& cut, Index tag) {
    if (cut.element) return content(tag);
    if (!cut.run.empty()) return run(cut, tag);
    if (cut.phrase) {
        if (const auto whole = phrase(tag)) return whole;
    }
    const auto outer = around(cut, tag);
    if (!outer) return std::nullopt;
    const Char* start = text_ + outer->first;
    const Char* end = text_ + outer->second;
    if (cut.left) {
        const auto& left = *cut.left;
        const Char* const found = cut.last ? std::find_end(start, end, left.begin(), left.end())
                                           : std::search(start, end, left.begin(), left.end());
        if (found == end && !left.empty()) return std::nullopt;
        start = found + left.size();
    }
    bool ends_at_text = !cut.right;
    if (cut.right) {
        const Char* const found = std::search(start, end, cut.right->begin(), cut.right->end());
        if (found == end && !cut.open) return std::nullopt;
        ends_at_text = found == end;
        end = found;
    }
    if (!cut.left && !cut.exact) {
        while (start < end && html::is_space(*start)) ++start;
    }
    if (ends_at_text && !cut.exact) {
        while (end > start && html::is_space(end[-1])) --end;
    }
    if (start >= end) return std::nullopt;
    return Bounds(static_cast<Index>(start - text_), static_cast<Index>(end - text_));
}

template <typename Char>
std::optional<Bounds> Scanner<Char>::around(const Cut& cut, Index tag) {
    if (cut.attribute) return attribute(tag, *cut.attribute);
    const Index after = cut.until ? next_named(tag, *cut.until) : tag + 1;
    if (cut.until && after == size_) return std::nullopt;
    return Bounds(outline_.ends[at(tag)], start_of(after));
}

template <typename Char>
std::optional<Bounds> Scanner<Char>::attribute(Index tag, std::uint64_t name) const {
    for (Index i = outline_.attributes_from[at(tag)]; i < outline_.attributes_from[at(tag) + 1]; ++i) {
        const Index* const bounds = &outline_.attributes[4 * at(i)];
        if (bounds[2] >= 0 && attribute_name(i) == name) return Bounds(bounds[2], bounds[3]);
    }
    return std::nullopt;
}

// From the first to the last text of an element.
template <typename Char>
std::optional<Bounds> Scanner<Char>::content(Index tag) {
    return content(tag, outline_.closes[at(tag)]);
}

// From the slot after a tag to the end of the element around it, if only formatting is between.
template <typename Char>
std::optional<Bounds> Scanner<Char>::phrase(Index tag) {
    const auto closes = [&](Index element) { return outline_.closes[at(element)]; };
    Index end = closes(tag);
    const bool opens = outline_.names[at(tag)] >= others && !(outline_.names[at(tag)] & end_bit) &&
                       end < size_ && outline_.names[at(end)] == ~outline_.names[at(tag)];
    if (!opens) end = closes(outline_.parents[at(tag)]);
    if (end <= tag || end - tag > phrase_tags) return std::nullopt;
    for (Index inner = tag + 1; inner < end; ++inner) {
        if (!is_formatting(outline_.names[at(inner)])) return std::nullopt;
    }
    return content(tag, end);
}

// From the first to the last child of these names and classes that has text, with all between.
template <typename Char>
std::optional<Bounds> Scanner<Char>::run(const Cut& cut, Index tag) {
    const auto after = [&](Index element) { return std::max(outline_.closes[at(element)], element + 1); };
    const Index end = outline_.closes[at(tag)];
    Index first = -1, last = -1;
    for (Index child = tag + 1; child < end; child = after(child)) {
        const std::uint64_t name = outline_.names[at(child)];
        if (name < others || name & end_bit || outline_.parents[at(child)] != tag) continue;
        const bool is_part = std::any_of(cut.run.begin(), cut.run.end(), [&](const Attribute& part) {
            return part.name == name && part.value == class_of(child);
        });
        if (!is_part || !content(child)) continue;
        if (first < 0) first = child;
        last = child;
    }
    if (first < 0) return std::nullopt;
    Bounds bounds(content(first)->first, content(last)->second);
    if (cut.outer) {
        const Index close = outline_.closes[at(last)];
        const bool is_closed = close < size_ && outline_.names[at(close)] == ~outline_.names[at(last)];
        bounds.first = outline_.starts[at(first)];
        if (is_closed) bounds.second = outline_.ends[at(close)];
    }
    return bounds;
}

// The digest of a tag's first class attribute; 0 for none.
template <typename Char>
std::uint64_t Scanner<Char>::class_of(Index tag) const {
    static const std::uint64_t name = digests_of({"class"}).front();
    for (Index i = outline_.attributes_from[at(tag)]; i < outline_.attributes_from[at(tag) + 1]; ++i) {
        if (attribute_name(i) == name) return attribute_value(i);
    }
    return 0;
}

template <typename Char>
std::optional<Bounds> Scanner<Char>::content(Index tag, Index end) {
    if (!full_known_) {
        for (Index i = 0; i < size_; ++i) {
            if (outline_.slot_starts[at(i)] < outline_.slot_ends[at(i)]) full_.push_back(i);
        }
        full_known_ = true;
    }
    const auto first = std::lower_bound(full_.begin(), full_.end(), tag);
    const auto last = std::lower_bound(first, full_.end(), end);
    if (first == last) return std::nullopt;
    return Bounds(outline_.slot_starts[at(*first)], outline_.slot_ends[at(*(last - 1))]);
}

// All tags of the name are looked up at once, or a page of many starts and no end takes long.
template <typename Char>
Index Scanner<Char>::next_named(Index tag, std::uint64_t name) {
    if (named_as_ != name) {
        named_.clear();
        for (Index i = 0; i < size_; ++i) {
            if (outline_.names[at(i)] == name) named_.push_back(i);
        }
        named_as_ = name;
    }
    const auto found = std::upper_bound(named_.begin(), named_.end(), tag);
    return found == named_.end() ? size_ : *found;
}

template <typename Char>
std::vector<Value> Scanner<Char>::values(const Rule& rule) {
    const Tags containers = rule.container ? find(*rule.container) : Tags();
    auto container = containers.begin();
    Index inside = rule.container ? 0 : size_;  // tags before this one are in a container
    std::vector<Value> found;
    for (const Index tag : find(rule.item)) {
        for (; container != containers.end() && *container <= tag; ++container) {
            inside = std::max(inside, outline_.closes[at(*container)]);
        }
        if (tag >= inside || (rule.cut.attribute && !carries(tag, *rule.cut.attribute))) continue;
        if (const auto value = cut(rule.cut, tag)) found.push_back({value->first, value->second, tag});
    }
    return found;
}

template <typename Char>
std::vector<Value> Scanner<Char>::values(const Field& field) {
    if (field.rules.size() == 1) return values(field.rules.front());
    std::vector<Value> all;
    for (const Rule& rule : field.rules) {
        if (rule.otherwise && !all.empty()) break;
        const auto some = values(rule);
        all.insert(all.end(), some.begin(), some.end());
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

template <typename Char>
void Scanner<Char>::choose(const Field& field, const Value* first, const Value* last,
                           std::vector<Value>& into) {
    if (first == last) return;
    if (field.take != Take::all) {
        into.push_back(field.take == Take::first ? *first : last[-1]);
    } else if (field.several) {
        into.insert(into.end(), first, last);
    } else if (!comes_in_numbers(outline_.names[at(first->tag)])) {
        into.push_back(*first);
    } else {
        const Index parent = outline_.parents[at(first->tag)];
        std::copy_if(first, last, std::back_inserter(into), [&](const Value& one) {
            return outline_.parents[at(one.tag)] == parent;
        });
    }
}

template <typename Char>
Rows Scanner<Char>::rows(const Program& program) {
    const std::vector<Bounds> stretches =
        program.record ? this->stretches(*program.record) : std::vector<Bounds>{{0, size_}};
    std::vector<std::vector<Value>> columns;
    for (const Field& field : program.fields) columns.push_back(values(field));
    Rows all;
    std::vector<bool> records, mostly, complete;
    bool any_incomplete = false;
    for (const auto& [first, last] : stretches) {
        // A value may stand at the very end of the page.
        const Index start = start_of(first), end = start_of(last) + (last == size_);
        const auto before = [](const Value& value, Index place) { return value.start < place; };
        std::size_t there = 0;
        for (std::size_t k = 0; k < columns.size(); ++k) {
            const Value* const column = columns[k].data();
            const Value* const stop = column + columns[k].size();
            const Value* const from = std::lower_bound(column, stop, start, before);
            const Value* const to = std::lower_bound(from, stop, end, before);
            choose(program.fields[k], from, to, all.values);
            there += from != to && program.fields[k].counts;
            all.ends.push_back(all.values.size());
        }
        records.push_back(there > 0 && 2 * there >= program.required);
        mostly.push_back(2 * there > program.required);
        complete.push_back(there == program.required);
        any_incomplete = any_incomplete || (records.back() && there < program.required);
    }
    std::vector<bool> kept = records;
    if (program.record && program.required > 1 && any_incomplete) {
        const auto tabled = in_their_tables(stretches, complete);
        for (std::size_t i = 0; i < kept.size(); ++i) kept[i] = records[i] && (mostly[i] || tabled[i]);
    }
    if (std::find(kept.begin(), kept.end(), false) == kept.end()) return all;
    Rows some;
    const std::size_t width = columns.size();
    for (std::size_t cell = 0; cell < kept.size() * width; ++cell) {
        if (!kept[cell / width]) continue;
        some.values.insert(some.values.end(), all.values.begin() + static_cast<std::ptrdiff_t>(all.ends[cell]),
                           all.values.begin() + static_cast<std::ptrdiff_t>(all.ends[cell + 1]));
        some.ends.push_back(some.values.size());
    }
    return some;
}

// Which stretches stand beside a complete one, or alone; all where no tables are seen.
template <typename Char>
std::vector<bool> Scanner<Char>::in_their_tables(const std::vector<Bounds>& stretches,
                                                 const std::vector<bool>& complete) {
    struct Table {
        std::size_t stretches = 0, complete = 0;
    };
    std::unordered_map<Index, Table> tables;
    std::size_t most = 0;
    for (std::size_t i = 0; i < stretches.size(); ++i) {
        Table& table = tables[outline_.parents[at(stretches[i].first)]];
        ++table.stretches;
        table.complete += complete[i];
        most = std::max(most, table.complete);
    }
    std::vector<bool> kept;
    for (const auto& stretch : stretches) {
        const Table& table = tables[outline_.parents[at(stretch.first)]];
        kept.push_back(table.complete > 0 || table.stretches == 1 || most < many);
    }
    return kept;
}

template class Scanner<std::uint8_t>;
template class Scanner<std::uint16_t>;
template class Scanner<std::uint32_t>;

}  // namespace rowen::token
