// The words of a text as they count for its likeness to others, and the runs of three of them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace rowen::shingles {

inline std::uint64_t mix(std::uint64_t value) {
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9u;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EBu;
    return value ^ (value >> 31);
}

// Hyphens, the soft one, and what pdfium puts for one at a line's end.
inline bool is_hyphen(std::uint32_t code) {
    return code == '-' || code == 0xAD || code == 0x2010 || code == 0x2011 || code == 0xFFFE;
}

// Scripts without spaces: each sign is a word.
inline bool is_word_itself(std::uint32_t code) {
    return (code >= 0x3040 && code <= 0x30FF) || (code >= 0x3400 && code <= 0x9FFF) ||
           (code >= 0xF900 && code <= 0xFAFF) || (code >= 0x20000 && code <= 0x3FFFF);
}

// Where the text goes on after a hyphen: hyphens don't count, nor does a line's end after one.
template <typename Char>
std::size_t after_hyphen(const Char* text, std::size_t size, std::size_t at) {
    bool line_ended = false;
    std::size_t next = at + 1;
    while (next < size && (text[next] == ' ' || text[next] == '\t' || text[next] == '\r' ||
                           text[next] == '\n')) {
        line_ended = line_ended || text[next] == '\n';
        ++next;
    }
    return line_ended ? next : at + 1;
}

// Calls `add` with the number of each word. `fold` says what a letter or digit counts as; 0 for all
// else.
template <typename Char, typename Fold, typename Add>
void each_word(const Char* text, std::size_t size, Fold fold, Add add) {
    constexpr std::uint64_t seed = 0x9E3779B97F4A7C15u;
    std::uint64_t word = 0;
    const auto end_word = [&] {
        if (word != 0) {
            add(word);
            word = 0;
        }
    };
    for (std::size_t i = 0; i < size;) {
        const std::uint32_t code = fold(text[i]);
        if (code == 0 && word != 0 && is_hyphen(text[i])) {
            i = after_hyphen(text, size, i);
            continue;
        }
        const bool alone = code >= 0x3040 && is_word_itself(code);
        if (code == 0 || alone) {
            end_word();
        }
        if (code != 0) {
            word = mix((word ^ code) + seed);
        }
        if (alone) {
            end_word();
        }
        ++i;
    }
    end_word();
}

// Calls `add` with the number of each run of three words; fewer words are one run as they are.
template <typename Char, typename Fold, typename Add>
void each_shingle(const Char* text, std::size_t size, Fold fold, Add add) {
    std::array<std::uint64_t, 3> last{};
    std::size_t words = 0;
    const auto shingle = [&] { return mix(last[2] + mix(last[1] + mix(last[0]))); };
    each_word(text, size, fold, [&](std::uint64_t word) {
        last = {last[1], last[2], word};
        if (++words >= 3) {
            add(shingle());
        }
    });
    if (words > 0 && words < 3) {
        add(shingle());
    }
}

}  // namespace rowen::shingles
