#include "near_index.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <stdexcept>

namespace rowen::near {
namespace {

// So many documents wait at least before they are sorted in: looking at them all takes microseconds.
constexpr std::size_t least_waiting = 4096;

// Of many documents, one in so many may wait; and one in so many may be gone.
constexpr std::size_t waiting_share = 256;
constexpr std::size_t gone_share = 8;

constexpr std::size_t ids_a_start = 16;

// So many bits of a block that nearly agrees and of the next two may differ: where one bit in eight
// does, as in sketches of texts that have three quarters of their shingles in common, nine of ten such
// pairs have no more; of unrelated ones, one in a thousand.
constexpr std::uint32_t likely_partly = 7;

// And so many of the first 64 bits, even where half of the shingles differ.
constexpr std::uint32_t likely_whole = 24;

std::uint32_t block(std::uint64_t code, std::size_t number) {
    return static_cast<std::uint32_t>(code >> (16 * number)) & 0xFFFFu;
}

std::uint64_t next_blocks(std::uint64_t code, std::size_t number) {
    return static_cast<std::uint32_t>(std::rotr(code, static_cast<int>(16 * number + 16)));
}

// The ways to change at most so many bits of a block.
std::vector<std::uint16_t> changes_of(std::uint32_t most) {
    std::vector<std::uint16_t> found{0};
    for (std::size_t done = 0, round = 0; round < most && round < 16; ++round) {
        for (const std::size_t end = found.size(); done < end; ++done) {
            for (int bit = std::bit_width(found[done]); bit < 16; ++bit) {
                found.push_back(static_cast<std::uint16_t>(found[done] | 1u << bit));
            }
        }
    }
    return found;
}

// Counted eight bytes at a time, for most codes that are compared as a whole are long.
std::uint32_t bits_apart(const std::uint8_t* one, const std::uint8_t* other, std::size_t size) {
    std::uint32_t apart = 0;
    for (std::size_t i = 0; i < size; i += 8) {
        std::uint64_t left = 0, right = 0;
        std::memcpy(&left, one + i, std::min<std::size_t>(8, size - i));
        std::memcpy(&right, other + i, std::min<std::size_t>(8, size - i));
        apart += std::popcount(left ^ right);
    }
    return apart;
}

bool by_document(const Found& one, const Found& other) { return one.document < other.document; }

// Vectors double; a bit more keeps the memory near to what is needed.
template <typename Value>
void make_room(std::vector<Value>& vector, std::size_t more) {
    const std::size_t needed = vector.size() + more;
    if (needed > vector.capacity()) {
        vector.reserve(needed + needed / 32);
    }
}

}  // namespace

void Index::add(std::string_view id, std::uint64_t code, const std::uint8_t* extra) {
    constexpr std::size_t most = std::numeric_limits<std::uint32_t>::max();
    if (codes_.size() >= most || ids_.size() + id.size() > most) {
        throw std::length_error("an index holds no more documents");
    }
    if (id.size() > std::numeric_limits<std::uint16_t>::max()) {
        throw std::invalid_argument("an id of more than 65535 bytes");
    }
    make_room(codes_, 1);
    make_room(extras_, extra_bytes());
    make_room(id_lengths_, 1);
    make_room(ids_, id.size());
    is_gone_.push_back(false);
    codes_.push_back(code);
    extras_.insert(extras_.end(), extra, extra + extra_bytes());
    if (id_lengths_.size() % ids_a_start == 0) {
        id_starts_.push_back(static_cast<std::uint32_t>(ids_.size()));
    }
    ids_.insert(ids_.end(), id.begin(), id.end());
    id_lengths_.push_back(static_cast<std::uint16_t>(id.size()));
}

std::string_view Index::id(std::uint32_t document) const {
    std::size_t start = id_starts_[document / ids_a_start];
    for (std::size_t i = document - document % ids_a_start; i < document; ++i) {
        start += id_lengths_[i];
    }
    return {ids_.data() + start, id_lengths_[document]};
}

std::string_view Index::extra(std::uint32_t document) const {
    const auto* const bytes = reinterpret_cast<const char*>(extras_.data());
    return {bytes + document * extra_bytes(), extra_bytes()};
}

bool Index::remove(std::string_view name, std::uint64_t code) {
    settle();
    const std::size_t before = gone_;
    search(code, {0, 0, 0}, [&](std::uint32_t document, std::uint32_t) {
        if (id(document) == name) {
            is_gone_[document] = true;
            ++gone_;
        }
    });
    return gone_ > before;
}

std::vector<Found> Index::find_near(std::uint64_t code, std::uint32_t distance) {
    settle();
    std::vector<Found> found;
    search(code, {distance / static_cast<std::uint32_t>(blocks), distance, distance},
           [&](std::uint32_t document, std::uint32_t apart) { found.push_back({document, apart}); });
    std::sort(found.begin(), found.end(), by_document);
    return found;
}

std::vector<Found> Index::find_like(std::uint64_t code, const std::uint8_t* rest,
                                    std::uint32_t distance) {
    settle();
    std::vector<Found> found;
    search(code, {1, likely_partly, likely_whole}, [&](std::uint32_t document, std::uint32_t apart) {
        const std::uint8_t* const own = extras_.data() + document * extra_bytes();
        const std::uint32_t whole = apart + bits_apart(own, rest, rest_);
        if (whole <= distance) {
            found.push_back({document, whole});
        }
    });
    std::sort(found.begin(), found.end(), by_document);
    return found;
}

// Calls `visit` once with each document within reach, and how far its first 64 bits are.
template <typename Visit>
void Index::search(std::uint64_t code, Reach reach, Visit visit) const {
    const std::vector<std::uint16_t> changes = changes_of(reach.block);
    // Where the tables would be asked for about as many buckets as there are documents, they don't pay.
    const bool all = blocks * changes.size() > sorted_ / 8;
    if (!all) {
        search_tables(code, reach, changes, visit);
    }
    for (std::size_t document = all ? 0 : sorted_; document < codes_.size(); ++document) {
        const std::uint32_t apart = std::popcount(codes_[document] ^ code);
        if (apart <= reach.all && !is_gone_[document]) {
            visit(static_cast<std::uint32_t>(document), apart);
        }
    }
}

template <typename Visit>
void Index::search_tables(std::uint64_t code, Reach reach,
                          const std::vector<std::uint16_t>& changes, Visit visit) const {
    struct Bucket {
        const std::uint64_t* begin;
        const std::uint64_t* end;
        std::uint32_t apart;
    };
    // An earlier table had it already, if it was within reach there.
    const auto seen_before = [&](std::uint64_t difference, std::size_t number) {
        for (std::size_t earlier = 0; earlier < number; ++earlier) {
            const std::uint32_t apart = std::popcount(block(difference, earlier));
            const std::uint32_t next = std::popcount(next_blocks(difference, earlier));
            if (apart <= reach.block && apart + next <= reach.partly) {
                return true;
            }
        }
        return false;
    };
    std::vector<Bucket> buckets;
    buckets.reserve(changes.size());
    for (std::size_t number = 0; number < blocks; ++number) {
        const Table& table = tables_[number];
        // All places are worked out before the first is read, so that memory is waited for once.
        buckets.clear();
        for (const std::uint16_t change : changes) {
            const std::uint32_t value = block(code, number) ^ change;
            const std::uint64_t* const begin = table.entries.data() + table.starts[value];
            const std::uint64_t* const end = table.entries.data() + table.starts[value + 1];
            for (const std::uint64_t* line = begin; line < end; line += 8) {
                __builtin_prefetch(line);
            }
            buckets.push_back({begin, end, static_cast<std::uint32_t>(std::popcount(change))});
        }
        const std::uint64_t next = next_blocks(code, number);
        for (const Bucket& bucket : buckets) {
            for (const std::uint64_t* entry = bucket.begin; entry < bucket.end; ++entry) {
                const std::uint32_t partly = std::popcount((*entry >> 32) ^ next);
                if (bucket.apart + partly > reach.partly) {
                    continue;
                }
                const auto document = static_cast<std::uint32_t>(*entry);
                const std::uint64_t difference = codes_[document] ^ code;
                const auto apart = static_cast<std::uint32_t>(std::popcount(difference));
                if (apart <= reach.all && !is_gone_[document] && !seen_before(difference, number)) {
                    visit(document, apart);
                }
            }
        }
    }
}

// Sorts in what waits once there is much of it: additions alone cost nothing.
void Index::settle() {
    const std::size_t all = codes_.size();
    const bool many_gone = gone_ > std::max(least_waiting, all / gone_share);
    if (many_gone) {
        drop_gone();
    }
    if (many_gone || all - sorted_ > std::max(least_waiting, sorted_ / waiting_share)) {
        sort_into_tables();
    }
}

void Index::drop_gone() {
    std::size_t kept = 0, characters = 0, start = 0;
    for (std::size_t document = 0; document < codes_.size(); ++document) {
        const std::size_t length = id_lengths_[document];
        if (!is_gone_[document]) {
            codes_[kept] = codes_[document];
            std::copy_n(extras_.begin() + document * extra_bytes(), extra_bytes(),
                        extras_.begin() + kept * extra_bytes());
            std::copy_n(ids_.begin() + start, length, ids_.begin() + characters);
            if (kept % ids_a_start == 0) {
                id_starts_[kept / ids_a_start] = static_cast<std::uint32_t>(characters);
            }
            characters += length;
            id_lengths_[kept++] = id_lengths_[document];
        }
        start += length;
    }
    codes_.resize(kept);
    extras_.resize(kept * extra_bytes());
    id_lengths_.resize(kept);
    id_starts_.resize((kept + ids_a_start - 1) / ids_a_start);
    ids_.resize(characters);
    is_gone_.assign(kept, false);
    gone_ = 0;
}

void Index::sort_into_tables() {
    sorted_ = 0;
    for (std::size_t number = 0; number < blocks; ++number) {
        Table& table = tables_[number];
        table.entries = {};  // before the new ones are there: memory is what is short
        table.starts.assign(values + 1, 0);
        for (const std::uint64_t code : codes_) {
            ++table.starts[block(code, number) + 1];
        }
        for (std::size_t value = 0; value < values; ++value) {
            table.starts[value + 1] += table.starts[value];
        }
        table.entries.resize(codes_.size());
        std::vector<std::uint32_t> next(table.starts.begin(), table.starts.end() - 1);
        for (std::size_t document = 0; document < codes_.size(); ++document) {
            const std::uint64_t code = codes_[document];
            table.entries[next[block(code, number)]++] =
                next_blocks(code, number) << 32 | document;
        }
    }
    sorted_ = codes_.size();
}

std::size_t Index::memory() const {
    std::size_t bytes = 8 * codes_.capacity() + extras_.capacity() +
                        ids_.capacity() + 2 * id_lengths_.capacity() +
                        4 * id_starts_.capacity() + is_gone_.capacity() / 8;
    for (const Table& table : tables_) {
        bytes += 4 * table.starts.capacity() + 8 * table.entries.capacity();
    }
    return bytes;
}

}  // namespace rowen::near
