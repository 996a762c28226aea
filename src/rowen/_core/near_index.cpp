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

std::uint32_t block(std::uint64_t fingerprint, std::size_t number) {
    return static_cast<std::uint32_t>(fingerprint >> (16 * number)) & 0xFFFFu;
}

std::uint64_t next_blocks(std::uint64_t fingerprint, std::size_t number) {
    return static_cast<std::uint32_t>(std::rotr(fingerprint, static_cast<int>(16 * number + 16)));
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

// Vectors double; a sixteenth more keeps the memory near to what is needed.
template <typename Value>
void make_room(std::vector<Value>& vector, std::size_t more) {
    const std::size_t needed = vector.size() + more;
    if (needed > vector.capacity()) {
        vector.reserve(needed + needed / 16);
    }
}

}  // namespace

void Index::add(std::string_view id, std::uint64_t fingerprint, const std::uint8_t* sketch) {
    constexpr std::size_t most = std::numeric_limits<std::uint32_t>::max();
    if (fingerprints_.size() >= most || ids_.size() + id.size() > most) {
        throw std::length_error("an index holds no more documents");
    }
    make_room(fingerprints_, 1);
    make_room(sketches_, sketch_bytes_);
    make_room(id_ends_, 1);
    make_room(ids_, id.size());
    is_gone_.push_back(false);
    fingerprints_.push_back(fingerprint);
    sketches_.insert(sketches_.end(), sketch, sketch + sketch_bytes_);
    ids_.insert(ids_.end(), id.begin(), id.end());
    id_ends_.push_back(static_cast<std::uint32_t>(ids_.size()));
}

std::string_view Index::id(std::uint32_t document) const {
    const std::size_t start = document == 0 ? 0 : id_ends_[document - 1];
    return {ids_.data() + start, id_ends_[document] - start};
}

bool Index::remove(std::string_view name, std::uint64_t fingerprint) {
    settle();
    const std::size_t before = gone_;
    near(fingerprint, 0, [&](std::uint32_t document, std::uint32_t) {
        if (id(document) == name) {
            is_gone_[document] = true;
            ++gone_;
        }
    });
    return gone_ > before;
}

std::vector<Found> Index::find(std::uint64_t fingerprint, const std::uint8_t* sketch,
                               std::uint32_t distance, std::uint32_t most_different) {
    settle();
    std::vector<Found> found;
    near(fingerprint, distance, [&](std::uint32_t document, std::uint32_t apart) {
        const std::uint32_t different = sketch_distance(document, sketch);
        if (different <= most_different) {
            found.push_back({document, apart, different});
        }
    });
    std::sort(found.begin(), found.end(), [](const Found& one, const Found& other) {
        return one.document < other.document;
    });
    return found;
}

std::uint32_t Index::sketch_distance(std::uint32_t document, const std::uint8_t* sketch) const {
    const std::uint8_t* const own = sketches_.data() + document * sketch_bytes_;
    std::uint32_t different = 0;
    for (std::size_t i = 0; i < sketch_bytes_; ++i) {
        different += std::popcount(static_cast<std::uint8_t>(own[i] ^ sketch[i]));
    }
    return different;
}

// Calls `visit` once with each document within a distance, and how far it is.
template <typename Visit>
void Index::near(std::uint64_t fingerprint, std::uint32_t distance, Visit visit) const {
    const std::vector<std::uint16_t> changes = changes_of(distance / blocks);
    // Where the tables would be asked for about as many buckets as there are documents, they don't pay.
    const bool all = blocks * changes.size() > sorted_ / 8;
    if (!all) {
        near_in_tables(fingerprint, distance, changes, visit);
    }
    for (std::size_t document = all ? 0 : sorted_; document < fingerprints_.size(); ++document) {
        const std::uint32_t apart = std::popcount(fingerprints_[document] ^ fingerprint);
        if (apart <= distance && !is_gone_[document]) {
            visit(static_cast<std::uint32_t>(document), apart);
        }
    }
}

template <typename Visit>
void Index::near_in_tables(std::uint64_t fingerprint, std::uint32_t distance,
                           const std::vector<std::uint16_t>& changes, Visit visit) const {
    struct Bucket {
        const std::uint64_t* begin;
        const std::uint64_t* end;
        std::uint32_t apart;
    };
    const std::uint32_t most_changed = distance / blocks;
    // An earlier table had it already, if that block is as near as to be looked up.
    const auto seen_before = [&](std::uint64_t difference, std::size_t number) {
        for (std::size_t earlier = 0; earlier < number; ++earlier) {
            if (std::popcount(block(difference, earlier)) <= static_cast<int>(most_changed)) {
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
            const std::uint32_t value = block(fingerprint, number) ^ change;
            const std::uint64_t* const begin = table.entries.data() + table.starts[value];
            const std::uint64_t* const end = table.entries.data() + table.starts[value + 1];
            for (const std::uint64_t* line = begin; line < end; line += 8) {
                __builtin_prefetch(line);
            }
            buckets.push_back({begin, end, static_cast<std::uint32_t>(std::popcount(change))});
        }
        const std::uint64_t next = next_blocks(fingerprint, number);
        for (const Bucket& bucket : buckets) {
            for (const std::uint64_t* entry = bucket.begin; entry < bucket.end; ++entry) {
                const std::uint32_t partly = std::popcount((*entry >> 32) ^ next);
                if (bucket.apart + partly > distance) {
                    continue;
                }
                const auto document = static_cast<std::uint32_t>(*entry);
                const std::uint64_t difference = fingerprints_[document] ^ fingerprint;
                const auto apart = static_cast<std::uint32_t>(std::popcount(difference));
                if (apart <= distance && !is_gone_[document] && !seen_before(difference, number)) {
                    visit(document, apart);
                }
            }
        }
    }
}

// Sorts in what waits once there is much of it: additions alone cost nothing.
void Index::settle() {
    const std::size_t all = fingerprints_.size();
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
    for (std::size_t document = 0; document < fingerprints_.size(); ++document) {
        const std::size_t end = id_ends_[document];
        if (!is_gone_[document]) {
            fingerprints_[kept] = fingerprints_[document];
            std::copy_n(sketches_.begin() + document * sketch_bytes_, sketch_bytes_,
                        sketches_.begin() + kept * sketch_bytes_);
            std::copy(ids_.begin() + start, ids_.begin() + end, ids_.begin() + characters);
            characters += end - start;
            id_ends_[kept++] = static_cast<std::uint32_t>(characters);
        }
        start = end;
    }
    fingerprints_.resize(kept);
    sketches_.resize(kept * sketch_bytes_);
    id_ends_.resize(kept);
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
        for (const std::uint64_t fingerprint : fingerprints_) {
            ++table.starts[block(fingerprint, number) + 1];
        }
        for (std::size_t value = 0; value < values; ++value) {
            table.starts[value + 1] += table.starts[value];
        }
        table.entries.resize(fingerprints_.size());
        std::vector<std::uint32_t> next(table.starts.begin(), table.starts.end() - 1);
        for (std::size_t document = 0; document < fingerprints_.size(); ++document) {
            const std::uint64_t fingerprint = fingerprints_[document];
            table.entries[next[block(fingerprint, number)]++] =
                next_blocks(fingerprint, number) << 32 | document;
        }
    }
    sorted_ = fingerprints_.size();
}

std::size_t Index::memory() const {
    std::size_t bytes = 8 * fingerprints_.capacity() + sketches_.capacity() +
                        4 * id_ends_.capacity() + ids_.capacity() + is_gone_.capacity() / 8;
    for (const Table& table : tables_) {
        bytes += 4 * table.starts.capacity() + 8 * table.entries.capacity();
    }
    return bytes;
}

}  // namespace rowen::near
