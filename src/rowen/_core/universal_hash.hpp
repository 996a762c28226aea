// NH, the universal hash of UMAC (Black, Halevi, Krawczyk, Krovetz and Rogaway, 1999): one
// multiplication for 16 bytes, where a digest takes hundreds of steps.
//
// Two different inputs of one length have equal hashes for at most one in 2^128 of the keys. That
// is only worth something while the key is secret, and so must the hashes be: digest them, with a
// key, before anyone sees them.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace rowen::nh {

// A block is hashed by a key of its own length. One pass is certain to 64 bits. The second pass has
// the key moved by a pair of words, and makes it 128 (UMAC calls this the Toeplitz construction).
constexpr std::size_t block_bytes = 1024;
constexpr std::size_t pair_bytes = 16;
constexpr std::size_t passes = 2;
constexpr std::size_t key_bytes = block_bytes + (passes - 1) * pair_bytes;
constexpr std::size_t hash_bytes = passes * 16;

constexpr std::size_t hashed_size(std::size_t size) {
    return (size + block_bytes - 1) / block_bytes * hash_bytes;
}

// Words have the same bytes on every machine, because services may share what is stored.
inline std::uint64_t little(std::uint64_t word) {
    if constexpr (std::endian::native == std::endian::big) {
        std::uint64_t turned = 0;
        for (int i = 0; i < 8; ++i) {
            turned = turned << 8 | (word >> (8 * i) & 0xFF);
        }
        return turned;
    }
    return word;
}

inline std::uint64_t word_at(const std::uint8_t* bytes) {
    std::uint64_t word;
    std::memcpy(&word, bytes, sizeof word);
    return little(word);
}

__extension__ typedef unsigned __int128 Sum;

// The hash of the pairs of words of one block, `size` bytes of them.
inline void hash_block(const std::uint8_t* block, std::size_t size, const std::uint8_t* key,
                       std::uint8_t* hash) {
    std::array<Sum, passes> sums{};
    for (std::size_t at = 0; at < size; at += pair_bytes) {
        const std::uint64_t left = word_at(block + at), right = word_at(block + at + 8);
        for (std::size_t pass = 0; pass < passes; ++pass) {
            const std::uint8_t* const own = key + at + pass * pair_bytes;
            sums[pass] += static_cast<Sum>(left + word_at(own)) * (right + word_at(own + 8));
        }
    }
    for (const Sum sum : sums) {
        for (const std::uint64_t half : {static_cast<std::uint64_t>(sum),
                                         static_cast<std::uint64_t>(sum >> 64)}) {
            const std::uint64_t word = little(half);
            std::memcpy(hash, &word, sizeof word);
            hash += sizeof word;
        }
    }
}

// The hashes of all blocks, `hashed_size(size)` bytes; the last block is filled up with zeros.
// Inputs of other lengths may have the same hashes.
inline void hash_blocks(const std::uint8_t* data, std::size_t size, const std::uint8_t* key,
                        std::uint8_t* hashes) {
    std::size_t at = 0;
    for (; size - at >= block_bytes; at += block_bytes, hashes += hash_bytes) {
        hash_block(data + at, block_bytes, key, hashes);
    }
    if (at < size) {
        std::array<std::uint8_t, block_bytes> last{};
        std::copy(data + at, data + size, last.begin());
        hash_block(last.data(), block_bytes, key, hashes);
    }
}

}  // namespace rowen::nh
