// The index of fingerprints, the linear-chain CRF and its training, the characters of PDFs, and the hash of pages.
#include <bit>
#include <cmath>
#include <cstring>

#include "chain.hpp"
#include "chain_training.hpp"
#include "marginals.hpp"  // `chain` compares them with the sum over all labellings
#include "near_index.hpp"
#include "pdf_characters.hpp"
#include "pdf_shapes.hpp"
#include "target.hpp"
#include "universal_hash.hpp"

namespace rowen {
namespace {

using fuzz::Bytes;

FUZZ_TARGET(near_index) {
    struct Entry {
        std::string id;
        std::uint64_t code;
        std::vector<std::uint8_t> extra;
        std::uint32_t number;
    };
    const std::size_t rest = bytes.byte() % 20, note = bytes.byte() % 4;
    near::Index index(rest, note);
    std::vector<Entry> entries;
    std::uint64_t last = 0;
    while (!bytes.empty()) {
        const std::uint8_t action = bytes.byte();
        if (action & 1) last ^= 1ull << (bytes.byte() % 64);
        if (action & 2) last = bytes.number(8);
        if (action % 16 < 12) {
            auto extra = bytes.take(rest + note);
            extra.resize(rest + note);
            const auto id = bytes.take(action % 5);
            entries.push_back({{id.begin(), id.end()}, last, extra, 0});
            index.add(entries.back().id, last, extra.data());
        } else if (action % 16 < 14 && !entries.empty()) {
            const Entry gone = entries[bytes.byte() % entries.size()];
            REQUIRE(index.remove(gone.id, gone.code));
            std::erase_if(entries, [&](const Entry& one) { return one.id == gone.id && one.code == gone.code; });
        } else {
            const std::uint32_t distance = bytes.byte() % 8;
            std::vector<std::pair<std::string, std::uint32_t>> expected, found;
            for (const Entry& one : entries) {
                const auto apart = static_cast<std::uint32_t>(std::popcount(one.code ^ last));
                if (apart <= distance) expected.emplace_back(one.id, apart);
            }
            for (const near::Found& one : index.find_near(last, distance)) {
                found.emplace_back(std::string(index.id(one.document)), one.distance);
                REQUIRE(index.extra(one.document).size() == rest + note);
            }
            REQUIRE(found == expected);
            std::vector<std::uint8_t> more(rest);
            for (const near::Found& one : index.find_like(last, more.data(), distance)) {
                REQUIRE(one.distance <= distance);
            }
        }
        REQUIRE(index.size() == entries.size());
    }
}

FUZZ_TARGET(chain) {
    const std::size_t labels = 1 + bytes.byte() % 4, columns = 1 + bytes.byte() % 3;
    std::vector<std::vector<chain::Part>> parts;
    for (int i = bytes.byte() % 4; i > 0; --i) {
        parts.emplace_back();
        for (int k = bytes.byte() % 3; k > 0; --k) {
            const std::uint8_t form = bytes.byte();
            const std::int32_t offset = form == 255 ? static_cast<std::int32_t>(bytes.number(4))
                                                    : static_cast<std::int32_t>(form % 7) - 3;
            parts.back().push_back({static_cast<std::uint32_t>(bytes.byte() % columns), offset});
        }
    }
    const std::size_t count = bytes.byte() % 8;
    std::vector<std::uint64_t> table(count * columns);
    for (auto& one : table) one = bytes.byte() % 6;
    const chain::Rows rows{table.data(), count, columns};
    const chain::Templates templates(parts);
    // Weights for the keys that there are, and for some that there are not.
    chain::Weights weights{{}, {0}, {}, {}, {}, labels};
    for (std::size_t row = 0; row < count; ++row) {
        for (std::size_t t = 0; t < templates.size(); ++t) {
            const std::uint64_t key = templates.key(rows, row, t);
            if (key != 0 && std::find(weights.keys.begin(), weights.keys.end(), key) == weights.keys.end()) {
                weights.keys.push_back(key);
            }
        }
    }
    weights.keys.push_back(~0ull);
    for (std::size_t i = 0; i < weights.keys.size(); ++i) {
        std::size_t own = bytes.byte() % (labels + 1);
        for (std::size_t label = 0; own > 0; --own, ++label) {
            weights.labels.push_back(static_cast<std::uint8_t>(label));
            weights.weights.push_back(static_cast<std::int8_t>(bytes.byte()) / 8.0F);
        }
        weights.starts.push_back(static_cast<std::uint32_t>(weights.labels.size()));
    }
    for (std::size_t i = 0; i < labels * labels; ++i) {
        weights.transitions.push_back(static_cast<std::int8_t>(bytes.byte()) / 8.0F);
    }
    const chain::Weights kept = weights;
    const chain::LinearChainCRF model(chain::Templates(parts), std::move(weights));
    const std::vector<std::uint8_t> found = model.label(rows);
    REQUIRE(found.size() == count);
    const auto score = [&](const std::vector<std::uint8_t>& labelling) {
        double sum = 0;
        for (std::size_t row = 0; row < count; ++row) {
            REQUIRE(labelling[row] < labels);
            for (std::size_t t = 0; t < templates.size(); ++t) {
                const std::uint64_t key = templates.key(rows, row, t);
                for (std::size_t i = 0; key != 0 && i < kept.keys.size(); ++i) {
                    for (std::uint32_t w = kept.starts[i]; kept.keys[i] == key && w < kept.starts[i + 1]; ++w) {
                        if (kept.labels[w] == labelling[row]) sum += kept.weights[w];
                    }
                }
            }
            if (row > 0) sum += kept.transitions[labelling[row - 1] * labels + labelling[row]];
        }
        return sum;
    };
    const double best = score(found);
    std::vector<std::uint8_t> groups(labels);
    for (std::size_t label = 0; label < labels; ++label) groups[label] = static_cast<std::uint8_t>(label);
    const chain::Labelling sure = model.label_surely(rows, groups.data());
    REQUIRE(sure.labels == found);
    REQUIRE(sure.probabilities.size() == count);
    for (const float one : sure.probabilities) REQUIRE(one >= 0 && one <= 1);
    if (count <= 4) {  // all labellings
        std::vector<double> expected(count);
        double total = 0;
        std::vector<std::uint8_t> other(count);
        std::size_t all = 1;
        for (std::size_t i = 0; i < count; ++i) all *= labels;
        for (std::size_t code = 0; code < all; ++code) {
            for (std::size_t i = 0, left = code; i < count; ++i, left /= labels) {
                other[i] = static_cast<std::uint8_t>(left % labels);
            }
            REQUIRE(score(other) <= best + 1e-3);
            const double share = std::exp(score(other) - best);
            total += share;
            for (std::size_t i = 0; i < count; ++i) expected[i] += other[i] == found[i] ? share : 0;
        }
        for (std::size_t i = 0; i < count; ++i) {
            REQUIRE(std::abs(expected[i] / total - static_cast<double>(sure.probabilities[i])) < 1e-2);
        }
    }
}

FUZZ_TARGET(chain_training) {
    const std::size_t labels = 1 + bytes.byte() % 4;
    const chain::Templates templates({{{0, 0}}, {{0, -1}, {0, 0}}, {{0, 1}}});
    chain::Trainer trainer(templates, labels);
    const std::size_t trained = bytes.byte() % 6, held = bytes.byte() % 3;
    std::vector<std::uint32_t> order;
    const auto add = [&] {
        const std::size_t count = bytes.byte() % 6;
        std::vector<std::uint64_t> table(count);
        std::vector<std::uint8_t> own(count);
        for (auto& one : table) one = bytes.byte() % 6;
        for (auto& one : own) one = static_cast<std::uint8_t>(bytes.byte() % labels);
        trainer.add({table.data(), count, 1}, own.data());
    };
    for (std::size_t i = 0; i < trained; ++i) {
        add();
        order.push_back(static_cast<std::uint32_t>(i));
    }
    trainer.prepare(bytes.byte() % 3, nullptr, -20.0F);
    for (std::size_t i = 0; i < held; ++i) add();
    const double before = trainer.loss(0, trained);
    for (int pass = 0; pass < 3; ++pass) trainer.pass(order, 0.01, 0.1);
    REQUIRE(std::isfinite(trainer.loss(0, trained + held)));
    REQUIRE(trainer.loss(0, trained) <= before + 0.1);  // small steps make it better, or nothing
    // The weights are a prior that fits.
    const chain::Weights weights = trainer.weights();
    chain::Trainer adapted(templates, labels);
    adapted.prepare(1, &weights, -20.0F);
    REQUIRE(adapted.weights().keys == weights.keys);
    REQUIRE(adapted.weights().weights == weights.weights);
    const chain::LinearChainCRF model(templates, weights);
    const std::uint64_t row = 3;
    REQUIRE(model.label({&row, 1, 1}).size() == 1);
}

// A pdfium that answers with whatever the input says.
Bytes* answers = nullptr;
float odd() {
    const auto bits = static_cast<std::uint32_t>(answers->number(4));
    float found;
    std::memcpy(&found, &bits, sizeof found);
    return found;
}

FUZZ_TARGET(pdf_shapes) {
    static char objects[8];
    answers = &bytes;
    const int most = static_cast<int>(bytes.byte()) * 2;
    pdf::ShapeFunctions calls{};
    calls.count_objects = [](void*) { return static_cast<int>(static_cast<std::int16_t>(answers->number(2))); };
    calls.get_object = [](void*, int) -> void* {
        const std::uint8_t choice = answers->byte() % 9;
        return choice < 8 ? objects + choice : nullptr;
    };
    calls.get_type = [](void*) { return static_cast<int>(answers->byte() % 8) - 1; };
    calls.get_bounds = [](void*, float* l, float* b, float* r, float* t) {
        if (answers->byte() % 2) return 0;
        *l = odd(); *b = odd(); *r = odd(); *t = odd();
        return 1;
    };
    calls.get_matrix = [](void*, pdf::Matrix* m) { m->a = odd(); m->b = odd(); m->e = odd(); m->f = odd(); return 1; };
    // A form that holds itself: only the limits end it.
    calls.count_form_objects = [](void*) { return static_cast<int>(static_cast<std::int16_t>(answers->number(2))); };
    calls.get_form_object = [](void*, unsigned long) -> void* { return objects; };
    const pdf::Shapes found = pdf::shapes(calls, objects, most);
    REQUIRE(found.kinds.size() <= static_cast<std::size_t>(most));
    REQUIRE(found.boxes.size() == 4 * found.kinds.size());
}

FUZZ_TARGET(pdf_characters) {
    static char fonts[4];
    answers = &bytes;
    const int most = static_cast<int>(bytes.byte()) * 2;
    pdf::Functions calls{};
    calls.count_chars = [](void*) { return static_cast<int>(static_cast<std::int16_t>(answers->number(2))); };
    calls.get_unicode = [](void*, int) { return static_cast<unsigned>(answers->number(4)); };
    calls.get_char_origin = [](void*, int, double* x, double* y) { *x = odd(); *y = odd(); return 1; };
    calls.get_char_box = [](void*, int, double* l, double* r, double* b, double* t) {
        if (answers->byte() % 2) return 0;
        *l = odd(); *r = odd(); *b = odd(); *t = odd() * 1e300;
        return 1;
    };
    calls.get_font_size = [](void*, int) { return static_cast<double>(odd()); };
    calls.get_matrix = [](void*, int, pdf::Matrix* m) { m->a = odd(); m->b = odd(); m->c = odd(); m->d = odd(); return 1; };
    calls.has_unicode_map_error = [](void*, int) { return static_cast<int>(answers->byte()) - 1; };
    calls.get_text_object = [](void*, int) -> void* { return answers->byte() % 4 ? fonts : nullptr; };
    calls.get_font = [](void*) -> void* {
        const std::uint8_t choice = answers->byte() % 5;
        return choice < 4 ? fonts + choice : nullptr;
    };
    calls.get_base_font_name = [](void*, char* name, unsigned long size) {
        const auto letters = answers->take(std::min<std::size_t>(size, answers->byte()));
        std::copy(letters.begin(), letters.end(), name);
        return answers->byte() % 4 == 0 ? static_cast<unsigned long>(answers->number(4)) : letters.size();
    };
    calls.get_weight = [](void*) { return static_cast<int>(answers->number(4)); };
    calls.get_flags = [](void*) { return static_cast<int>(answers->number(4)); };
    calls.get_fill_color = [](void*, unsigned* r, unsigned* g, unsigned* b, unsigned* a) {
        if (answers->byte() % 2) return 0;
        *r = *g = *b = *a = static_cast<unsigned>(answers->number(4));
        return 1;
    };
    calls.get_render_mode = [](void*) { return static_cast<int>(answers->byte()) - 1; };
    const pdf::Characters found = pdf::characters(calls, fonts, most);
    const std::size_t count = found.codes.size();
    REQUIRE(count <= static_cast<std::size_t>(most) && found.places.size() == 7 * count);
    REQUIRE(found.fonts.size() == count && found.directions.size() == count && found.unmapped.size() == count);
    REQUIRE(found.pale.size() == count);
    for (const std::int32_t font : found.fonts) {
        REQUIRE(font >= 0 && static_cast<std::size_t>(font) < found.names.size());
    }
    for (const auto& [name, weight, flags] : found.names) {
        REQUIRE(std::all_of(name.begin(), name.end(), [](char one) { return one >= ' ' && one <= '~'; }));
    }
}

FUZZ_TARGET(universal_hash) {
    std::vector<std::uint8_t> key = bytes.take(nh::key_bytes);
    key.resize(nh::key_bytes);
    const auto data = bytes.take(bytes.size());
    std::vector<std::uint8_t> hashes(nh::hashed_size(data.size()));
    nh::hash_blocks(data.data(), data.size(), key.data(), hashes.data());
    // Zeros that fill up the last block change nothing; the same block has the same hash anywhere.
    auto full = data;
    full.resize(hashes.size() / nh::hash_bytes * nh::block_bytes);
    for (std::size_t i = 0; i * nh::block_bytes < full.size(); ++i) {
        std::vector<std::uint8_t> alone(nh::hash_bytes);
        nh::hash_blocks(full.data() + i * nh::block_bytes, nh::block_bytes, key.data(), alone.data());
        REQUIRE(std::equal(alone.begin(), alone.end(), hashes.begin() + i * nh::hash_bytes));
    }
}

}  // namespace
}  // namespace rowen
