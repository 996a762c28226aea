// What a fuzz target is made of: a name, and a function that takes bytes apart and runs a kernel.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace rowen::fuzz {

// Bytes from which a target draws its input; when none are left, zeros come.
class Bytes {
  public:
    explicit Bytes(std::span<const std::uint8_t> given) : left_(given) {}

    bool empty() const { return left_.empty(); }
    std::size_t size() const { return left_.size(); }

    std::uint8_t byte() {
        if (left_.empty()) return 0;
        const std::uint8_t found = left_.front();
        left_ = left_.subspan(1);
        return found;
    }

    std::uint64_t number(int bytes) {
        std::uint64_t found = 0;
        for (int i = 0; i < bytes; ++i) found = found << 8 | byte();
        return found;
    }

    // A number below a limit, which is at least 1.
    std::size_t below(std::size_t limit) { return number(limit > 256 ? 2 : 1) % limit; }

    std::vector<std::uint8_t> take(std::size_t most) {
        const auto part = left_.first(std::min(most, left_.size()));
        left_ = left_.subspan(part.size());
        return {part.begin(), part.end()};
    }

  private:
    std::span<const std::uint8_t> left_;
};

// Bytes as characters of a width: those from 0xE0 on stand for ones that need it, so that corpora
// may be read. Each vector is just as large as its text, and what is read beyond is noticed.
template <typename Char>
std::vector<Char> widened(const std::vector<std::uint8_t>& bytes) {
    std::vector<Char> text;
    text.reserve(bytes.size());
    for (const std::uint8_t byte : bytes) {
        std::uint32_t code = byte;
        if constexpr (sizeof(Char) == 2) {
            code = byte >= 0xE0 ? 0xD7F0u + 64u * (byte & 31u) : byte;  // surrogates among them
        } else if constexpr (sizeof(Char) == 4) {
            code = byte >= 0xE0 ? 0xFFF0u + 34000u * (byte & 31u) : byte;
        }
        text.push_back(static_cast<Char>(code));
    }
    text.shrink_to_fit();
    return text;
}

// Calls a function with a vector of characters of 1, 2 or 4 bytes, as `width` says.
template <typename Function>
void with_width(std::uint8_t width, const std::vector<std::uint8_t>& bytes, Function function) {
    switch (width % 3) {
        case 0: function(widened<std::uint8_t>(bytes)); break;
        case 1: function(widened<std::uint16_t>(bytes)); break;
        default: function(widened<std::uint32_t>(bytes));
    }
}

[[noreturn]] void fail(const char* claim, const char* file, int line);

using Target = void (*)(Bytes);

inline std::map<std::string, Target>& targets() {
    static std::map<std::string, Target> all;
    return all;
}

struct Registered {
    Registered(const char* name, Target target) { targets()[name] = target; }
};

}  // namespace rowen::fuzz

// What holds for every input.
#define REQUIRE(claim) \
    ((claim) ? static_cast<void>(0) : ::rowen::fuzz::fail(#claim, __FILE__, __LINE__))

#define FUZZ_TARGET(name)                                                            \
    static void fuzz_##name(::rowen::fuzz::Bytes);                                   \
    static const ::rowen::fuzz::Registered registered_##name(#name, &fuzz_##name);   \
    static void fuzz_##name([[maybe_unused]] ::rowen::fuzz::Bytes bytes)
