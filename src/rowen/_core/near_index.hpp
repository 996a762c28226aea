// Codes of 64 bits by what they are near to (Manku, Jain and Das Sarma, 2007), in memory.
//
// A code is cut into four blocks of 16 bits. Each block has a table of all documents in the order of
// that block. Of two codes that differ in at most 4 f + 3 bits, one block differs in at most f: all
// such values of each block are looked up, one for distances up to 3, 17 up to 7.
//
// A code may go on in further bytes. Then what shares a block that nearly is judged by all of it.
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
};

class Index {
  public:
    // `rest` bytes of codes go on after the first 64 bits; `note` bytes are kept for the caller.
    Index(std::size_t rest, std::size_t note) : rest_(rest), note_(note) {}

    void add(std::string_view id, std::uint64_t code, const std::uint8_t* extra);

    // Removes all that was added with both; false where nothing was.
    bool remove(std::string_view id, std::uint64_t code);

    // All documents whose first 64 bits are within a distance, in the order of their addition.
    std::vector<Found> find_near(std::uint64_t code, std::uint32_t distance);

    // Documents within a distance over all bits, of those of which a block differs in one bit at most.
    std::vector<Found> find_like(std::uint64_t code, const std::uint8_t* rest,
                                 std::uint32_t distance);

    // Both hold until something is added, or looked up.
    std::string_view id(std::uint32_t document) const;
    std::string_view extra(std::uint32_t document) const;

    std::size_t rest_bytes() const { return rest_; }
    std::size_t extra_bytes() const { return rest_ + note_; }
    std::size_t size() const { return codes_.size() - gone_; }
    std::size_t memory() const;

  private:
    static constexpr std::size_t blocks = 4;
    static constexpr std::size_t values = 1u << 16;

    // An entry is what the next two blocks have and, below, the document: most documents of a bucket
    // are ruled out without a look at the rest of their codes.
    struct Table {
        std::vector<std::uint32_t> starts;
        std::vector<std::uint64_t> entries;
    };

    // How many bits may differ: in a block, in it and the next two, and in all.
    struct Reach {
        std::uint32_t block;
        std::uint32_t partly;
        std::uint32_t all;
    };

    void settle();
    void drop_gone();
    void sort_into_tables();
    template <typename Visit>
    void search(std::uint64_t code, Reach reach, Visit visit) const;
    template <typename Visit>
    void search_tables(std::uint64_t code, Reach reach, const std::vector<std::uint16_t>& changes,
                       Visit visit) const;

    std::size_t rest_;
    std::size_t note_;
    std::vector<std::uint64_t> codes_;
    std::vector<std::uint8_t> extras_;
    std::vector<char> ids_;
    std::vector<std::uint16_t> id_lengths_;
    std::vector<std::uint32_t> id_starts_;  // of every 16th document, which is less to keep
    std::vector<bool> is_gone_;
    std::size_t gone_ = 0;
    std::size_t sorted_ = 0;  // so many documents are in the tables; the others wait behind them
    std::array<Table, blocks> tables_;
};

}  // namespace rowen::near
