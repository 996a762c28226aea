// Fingerprints by what they are near to (Manku, Jain and Das Sarma, 2007), in memory.
//
// A fingerprint of 64 bits is cut into four blocks of 16. Each block has a table of all documents in
// the order of that block. Of two fingerprints that differ in at most 4 f + 3 bits, one block differs
// in at most f: all such values of each block are looked up, one for distances up to 3, 17 up to 7.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace rowen::near {

struct Found {
    std::uint32_t document;
    std::uint32_t distance;
    std::uint32_t sketch_distance;
};

class Index {
  public:
    explicit Index(std::size_t sketch_bytes) : sketch_bytes_(sketch_bytes) {}

    void add(std::string_view id, std::uint64_t fingerprint, const std::uint8_t* sketch);

    // Removes all that was added with both; false where nothing was.
    bool remove(std::string_view id, std::uint64_t fingerprint);

    // All documents within both distances, in the order of their addition.
    std::vector<Found> find(std::uint64_t fingerprint, const std::uint8_t* sketch,
                            std::uint32_t distance, std::uint32_t sketch_distance);

    // Holds until something is added, or looked up.
    std::string_view id(std::uint32_t document) const;

    std::size_t sketch_bytes() const { return sketch_bytes_; }
    std::size_t size() const { return fingerprints_.size() - gone_; }
    std::size_t memory() const;

  private:
    static constexpr std::size_t blocks = 4;
    static constexpr std::size_t values = 1u << 16;

    // An entry is what the next two blocks have and, below, the document: most documents of a bucket
    // are ruled out without a look at the rest of their fingerprints.
    struct Table {
        std::vector<std::uint32_t> starts;
        std::vector<std::uint64_t> entries;
    };

    void settle();
    void drop_gone();
    void sort_into_tables();
    std::uint32_t sketch_distance(std::uint32_t document, const std::uint8_t* sketch) const;
    template <typename Visit>
    void near(std::uint64_t fingerprint, std::uint32_t distance, Visit visit) const;
    template <typename Visit>
    void near_in_tables(std::uint64_t fingerprint, std::uint32_t distance,
                        const std::vector<std::uint16_t>& changes, Visit visit) const;

    std::size_t sketch_bytes_;
    std::vector<std::uint64_t> fingerprints_;
    std::vector<std::uint8_t> sketches_;
    std::vector<std::uint32_t> id_ends_;
    std::vector<char> ids_;
    std::vector<bool> is_gone_;
    std::size_t gone_ = 0;
    std::size_t sorted_ = 0;  // so many documents are in the tables; the others wait behind them
    std::array<Table, blocks> tables_;
};

}  // namespace rowen::near
