// Running a tabular wrapper: the scan of ExecLR, ExecHLRT, ExecOCLR and ExecHOCLRT in one loop.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace rowen::scan {

// A delimiter in the page's own storage; one that has wider characters than the page is never there.
struct Needle {
    bool given = false;
    bool possible = true;
    std::string bytes;
};

struct Delimiters {
    Needle head, tail, open, close;
    std::vector<Needle> left, right;
};

enum class Missing : std::uint8_t { none, head, left, right, close };

struct Found {
    std::vector<std::size_t> bounds;  // start and end of each field, record after record
    Missing missing = Missing::none;
    std::size_t field = 0;  // which field's delimiter is missing
};

// `width` is the size of a character in bytes. Only complete records are given.
Found scan(const char* text, std::size_t length, std::size_t width, const Delimiters& delimiters);

}  // namespace rowen::scan
