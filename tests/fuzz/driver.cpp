// Replays a corpus and mutations of it: rowen-fuzz CORPUS TARGET|all RUNS [SEED]. Needs g++ alone.
//
// The input of a run that fails is written to crash-TARGET in the working folder; put into
// CORPUS/TARGET, it is replayed for ever.
#include <sanitizer/common_interface_defs.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "target.hpp"

namespace rowen::fuzz {
namespace {

using Input = std::vector<std::uint8_t>;

constexpr std::size_t longest = 4096;  // longer inputs find little more, and slow references are slow

const std::string* running = nullptr;
const Input* current = nullptr;

void keep_input() {
    if (running == nullptr || current == nullptr) return;
    const std::string name = "crash-" + *running;
    std::ofstream(name, std::ios::binary)
        .write(reinterpret_cast<const char*>(current->data()),
               static_cast<std::streamsize>(current->size()));
    std::fprintf(stderr, "the input is in %s\n", name.c_str());
}

}  // namespace

void fail(const char* claim, const char* file, int line) {
    std::fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, claim);
    keep_input();
    std::abort();
}

// Assertions of the standard library abort; their inputs are kept, too.
extern "C" const char* __asan_default_options() { return "handle_abort=1"; }

#ifdef ROWEN_LIBFUZZER

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const char* const name = std::getenv("ROWEN_FUZZ_TARGET");
    static const Target target = name ? targets().at(name) : nullptr;
    if (target == nullptr) std::abort();
    target(Bytes({data, size}));
    return 0;
}

#else

namespace {

Input read(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::vector<Input> corpus_of(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> paths;
    if (std::filesystem::is_directory(folder)) {
        for (const auto& entry : std::filesystem::directory_iterator(folder)) {
            paths.push_back(entry.path());
        }
    }
    std::sort(paths.begin(), paths.end());
    std::vector<Input> inputs{{}};
    for (const auto& path : paths) inputs.push_back(read(path));
    return inputs;
}

using Random = std::mt19937_64;

std::size_t below(Random& random, std::size_t limit) { return random() % limit; }

// One change: a bit, a byte of note, a part taken out, doubled, moved, or put in from another input.
void mutate(Input& input, const std::vector<Input>& corpus, Random& random) {
    static constexpr std::uint8_t notable[] = {0, 1, 9, 10, 32, '"', '&', '/', '<', '>', 127, 128, 255};
    const std::size_t at = below(random, input.size() + 1);
    const auto place = input.begin() + static_cast<std::ptrdiff_t>(at);
    const std::size_t length = std::min(input.size() - at, below(random, 1u << below(random, 9)) + 1);
    const Input part(place, place + static_cast<std::ptrdiff_t>(length));
    switch (below(random, 7)) {
        case 0:
            if (at < input.size()) input[at] ^= static_cast<std::uint8_t>(1u << below(random, 8));
            break;
        case 1:
            if (at < input.size()) input[at] = notable[below(random, std::size(notable))];
            break;
        case 2:
            input.insert(place, notable[below(random, std::size(notable))]);
            break;
        case 3:
            input.erase(place, place + static_cast<std::ptrdiff_t>(length));
            break;
        case 4:
            for (std::size_t times = 1 + below(random, 8); times > 0; --times) {
                input.insert(input.begin() + static_cast<std::ptrdiff_t>(at), part.begin(), part.end());
            }
            break;
        case 5: {
            const std::size_t other = below(random, input.size() + 1);
            input.insert(input.begin() + static_cast<std::ptrdiff_t>(other), part.begin(), part.end());
            break;
        }
        default: {
            const Input& from = corpus[below(random, corpus.size())];
            const std::size_t start = below(random, from.size() + 1);
            const std::size_t most = std::min(from.size() - start, below(random, 128));
            input.insert(place, from.begin() + static_cast<std::ptrdiff_t>(start),
                         from.begin() + static_cast<std::ptrdiff_t>(start + most));
        }
    }
    if (input.size() > longest) input.resize(longest);
}

void run(const std::string& name, Target target, const std::filesystem::path& folder,
         std::size_t runs, std::uint64_t seed) {
    const auto begun = std::chrono::steady_clock::now();
    const std::vector<Input> corpus = corpus_of(folder / name);
    running = &name;
    const auto once = [&](const Input& input) {
        current = &input;
        target(Bytes(input));
        current = nullptr;
    };
    for (const Input& input : corpus) once(input);
    Random random(seed);
    for (std::size_t i = 0; i < runs; ++i) {
        Input input = corpus[below(random, corpus.size())];
        for (std::size_t changes = 1 + below(random, 6); changes > 0; --changes) {
            mutate(input, corpus, random);
        }
        input.shrink_to_fit();
        once(input);
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
    std::printf("%s: %zu kept inputs, %zu mutations, %.1f s\n", name.c_str(), corpus.size() - 1, runs,
                took.count());
}

}  // namespace

#endif

}  // namespace rowen::fuzz

#ifndef ROWEN_LIBFUZZER

int main(int count, char** arguments) {
    using namespace rowen::fuzz;
    if (count < 4) {
        std::fprintf(stderr, "usage: %s CORPUS TARGET|all RUNS [SEED]\n", arguments[0]);
        return 2;
    }
    __sanitizer_set_death_callback(keep_input);
    const std::string wanted = arguments[2];
    const std::size_t runs = std::strtoull(arguments[3], nullptr, 10);
    const std::uint64_t seed = count > 4 ? std::strtoull(arguments[4], nullptr, 10) : 1;
    bool found = false;
    for (const auto& [name, target] : targets()) {
        if (wanted == "all" || wanted == name) {
            run(name, target, arguments[1], runs, seed);
            found = true;
        }
    }
    if (!found) std::fprintf(stderr, "no such target: %s\n", wanted.c_str());
    return found ? 0 : 2;
}

#endif
