// The characters of a page as pdfium gives them, one by one.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace rowen::pdf {

struct Matrix {
    float a, b, c, d, e, f;
};

// The functions of fpdf_text.h and fpdf_edit.h that are used, by their names there.
struct Functions {
    int (*count_chars)(void*);
    unsigned (*get_unicode)(void*, int);
    int (*get_char_origin)(void*, int, double*, double*);
    int (*get_char_box)(void*, int, double*, double*, double*, double*);
    double (*get_font_size)(void*, int);
    int (*get_matrix)(void*, int, Matrix*);
    int (*has_unicode_map_error)(void*, int);
    void* (*get_text_object)(void*, int);
    void* (*get_font)(void*);
    unsigned long (*get_base_font_name)(void*, char*, unsigned long);
    int (*get_weight)(void*);
    int (*get_flags)(void*);
    int (*get_fill_color)(void*, unsigned*, unsigned*, unsigned*, unsigned*);
    int (*get_render_mode)(void*);
};

using Font = std::tuple<std::string, int, int>;  // name, weight, flags

struct Characters {
    std::vector<std::uint32_t> codes;
    std::vector<float> places;  // left, bottom, right, top, origin's x and y, size: seven each
    std::vector<std::int32_t> fonts;
    std::vector<std::uint8_t> directions;
    std::vector<std::uint8_t> unmapped;
    std::vector<std::uint8_t> pale;  // white, or drawn invisibly
    std::vector<Font> names;
};

// The way that a text runs on its page: 0 rightwards, 1 upwards, 2 leftwards, 3 downwards, 4 askew.
inline std::uint8_t direction(const Matrix& matrix) {
    const float along = std::abs(matrix.a), across = std::abs(matrix.b);
    if (across <= 0.1F * along) {
        return matrix.a < 0 ? 2 : 0;
    }
    if (along <= 0.1F * across) {
        return matrix.b < 0 ? 3 : 1;
    }
    return 4;
}

// Whether a text shows only on something dark, or not at all.
inline bool is_pale(const Functions& calls, void* object) {
    constexpr int invisible = 3;
    constexpr unsigned white = 250;
    if (object == nullptr) {
        return false;
    }
    if (calls.get_render_mode(object) == invisible) {
        return true;
    }
    unsigned red = 0, green = 0, blue = 0, alpha = 0;
    return calls.get_fill_color(object, &red, &green, &blue, &alpha) != 0 &&
           std::min({red, green, blue}) >= white;
}

inline Characters characters(const Functions& calls, void* page, int most) {
    Characters found;
    std::unordered_map<void*, std::int32_t> indexes;
    void* last = nullptr;
    bool pale = false;
    const int count = std::min(calls.count_chars(page), most);
    for (int i = 0; i < count; ++i) {
        double left = 0, right = 0, bottom = 0, top = 0, x = 0, y = 0;
        calls.get_char_box(page, i, &left, &right, &bottom, &top);
        calls.get_char_origin(page, i, &x, &y);
        Matrix matrix{1, 0, 0, 1, 0, 0};
        calls.get_matrix(page, i, &matrix);
        const double size = calls.get_font_size(page, i) * std::hypot(matrix.c, matrix.d);
        found.codes.push_back(calls.get_unicode(page, i));
        for (const double place : {left, bottom, right, top, x, y, size}) {
            found.places.push_back(static_cast<float>(place));
        }
        found.directions.push_back(direction(matrix));
        found.unmapped.push_back(calls.has_unicode_map_error(page, i) == 1);
        void* const object = calls.get_text_object(page, i);
        if (object != last) {
            pale = is_pale(calls, object);
            last = object;
        }
        found.pale.push_back(pale);
        void* const font = object == nullptr ? nullptr : calls.get_font(object);
        const auto [at, fresh] =
            indexes.try_emplace(font, static_cast<std::int32_t>(found.names.size()));
        if (fresh) {
            std::string name(256, '\0');
            unsigned long size_of_name = 0;
            if (font != nullptr) {
                size_of_name = calls.get_base_font_name(font, name.data(), name.size());
            }
            name.resize(size_of_name > 0 && size_of_name <= name.size() ? size_of_name - 1 : 0);
            for (char& letter : name) {  // a hostile file may name its fonts anything
                letter = letter >= ' ' && letter <= '~' ? letter : '?';
            }
            found.names.emplace_back(name, font ? calls.get_weight(font) : 0,
                                     font ? calls.get_flags(font) : 0);
        }
        found.fonts.push_back(at->second);
    }
    return found;
}

}  // namespace rowen::pdf
