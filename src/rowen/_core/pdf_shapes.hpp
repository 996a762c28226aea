// What is drawn on a page beside its text, as pdfium gives it: paths, images and shadings.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "pdf_characters.hpp"

namespace rowen::pdf {

// The functions of fpdf_edit.h that are used, by their names there.
struct ShapeFunctions {
    int (*count_objects)(void*);
    void* (*get_object)(void*, int);
    int (*get_type)(void*);
    int (*get_bounds)(void*, float*, float*, float*, float*);
    int (*get_matrix)(void*, Matrix*);
    int (*count_form_objects)(void*);
    void* (*get_form_object)(void*, unsigned long);
};

struct Shapes {
    std::vector<std::uint8_t> kinds;  // pdfium's types: 2 path, 3 image, 4 shading
    std::vector<float> boxes;         // left, bottom, right, top: four each
};

constexpr int text_object = 1, form_object = 5;
constexpr int deepest_form = 4;  // forms inside forms; bounds the recursion on hostile pages

struct ShapeReader {
    const ShapeFunctions& calls;
    int most;   // objects that are still to be looked at, those of text included
    Shapes found;

    void add(void* object, const Matrix& to_page, int depth) {
        if (object == nullptr || most <= 0) {
            return;
        }
        --most;
        const int kind = calls.get_type(object);
        if (kind == form_object && depth < deepest_form) {
            Matrix own{1, 0, 0, 1, 0, 0};
            calls.get_matrix(object, &own);
            const Matrix inner = product(own, to_page);
            const int count = calls.count_form_objects(object);
            for (int i = 0; i < count && most > 0; ++i) {
                add(calls.get_form_object(object, static_cast<unsigned long>(i)), inner, depth + 1);
            }
            return;
        }
        if (kind == text_object || kind == form_object) {
            return;
        }
        float left = 0, bottom = 0, right = 0, top = 0;
        if (calls.get_bounds(object, &left, &bottom, &right, &top)) {
            put(kind, to_page, left, bottom, right, top);
        }
    }

    void put(int kind, const Matrix& m, float left, float bottom, float right, float top) {
        const float x[] = {m.a * left + m.c * bottom + m.e, m.a * right + m.c * bottom + m.e,
                           m.a * left + m.c * top + m.e, m.a * right + m.c * top + m.e};
        const float y[] = {m.b * left + m.d * bottom + m.f, m.b * right + m.d * bottom + m.f,
                           m.b * left + m.d * top + m.f, m.b * right + m.d * top + m.f};
        found.kinds.push_back(static_cast<std::uint8_t>(kind));
        for (const float edge : {*std::min_element(x, x + 4), *std::min_element(y, y + 4),
                                 *std::max_element(x, x + 4), *std::max_element(y, y + 4)}) {
            found.boxes.push_back(edge);
        }
    }

    // The matrix that applies `first`, then `second`.
    static Matrix product(const Matrix& first, const Matrix& second) {
        return {first.a * second.a + first.b * second.c,
                first.a * second.b + first.b * second.d,
                first.c * second.a + first.d * second.c,
                first.c * second.b + first.d * second.d,
                first.e * second.a + first.f * second.c + second.e,
                first.e * second.b + first.f * second.d + second.f};
    }
};

inline Shapes shapes(const ShapeFunctions& calls, void* page, int most) {
    ShapeReader reader{calls, most, {}};
    const int count = calls.count_objects(page);
    for (int i = 0; i < count && reader.most > 0; ++i) {
        reader.add(calls.get_object(page, i), {1, 0, 0, 1, 0, 0}, 0);
    }
    return reader.found;
}

}  // namespace rowen::pdf
