// The characters of a PDF's page, asked of pdfium one by one: a page has thousands of them, each
// with half a dozen properties, and calls from Python would take longer than pdfium itself.
//
// pdfium comes as a shared library with its Python binding, which gives the functions' addresses;
// so nothing of it is linked here.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <string>
#include <unordered_map>

#include "columns.hpp"
#include "native.hpp"

namespace nb = nanobind;

namespace rowen {
namespace {

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
};

template <typename Function>
void take(nb::dict addresses, const char* name, Function& function) {
    function = reinterpret_cast<Function>(nb::cast<std::uintptr_t>(addresses[name]));
}

Functions functions_of(nb::dict addresses) {
    Functions found{};
    take(addresses, "FPDFText_CountChars", found.count_chars);
    take(addresses, "FPDFText_GetUnicode", found.get_unicode);
    take(addresses, "FPDFText_GetCharOrigin", found.get_char_origin);
    take(addresses, "FPDFText_GetCharBox", found.get_char_box);
    take(addresses, "FPDFText_GetFontSize", found.get_font_size);
    take(addresses, "FPDFText_GetMatrix", found.get_matrix);
    take(addresses, "FPDFText_HasUnicodeMapError", found.has_unicode_map_error);
    take(addresses, "FPDFText_GetTextObject", found.get_text_object);
    take(addresses, "FPDFTextObj_GetFont", found.get_font);
    take(addresses, "FPDFFont_GetBaseFontName", found.get_base_font_name);
    take(addresses, "FPDFFont_GetWeight", found.get_weight);
    take(addresses, "FPDFFont_GetFlags", found.get_flags);
    return found;
}

using Font = std::tuple<std::string, int, int>;  // name, weight, flags

struct Characters {
    std::vector<std::uint32_t> codes;
    std::vector<float> places;  // left, bottom, right, top, origin's x and y, size: seven each
    std::vector<std::int32_t> fonts;
    std::vector<std::uint8_t> turned;
    std::vector<std::uint8_t> unmapped;
    std::vector<Font> names;
};

Characters characters(const Functions& pdf, void* page, int most) {
    Characters found;
    std::unordered_map<void*, std::int32_t> indexes;
    const int count = std::min(pdf.count_chars(page), most);
    for (int i = 0; i < count; ++i) {
        double left = 0, right = 0, bottom = 0, top = 0, x = 0, y = 0;
        pdf.get_char_box(page, i, &left, &right, &bottom, &top);
        pdf.get_char_origin(page, i, &x, &y);
        Matrix matrix{1, 0, 0, 1, 0, 0};
        pdf.get_matrix(page, i, &matrix);
        const double size = pdf.get_font_size(page, i) * std::hypot(matrix.c, matrix.d);
        found.codes.push_back(pdf.get_unicode(page, i));
        for (const double place : {left, bottom, right, top, x, y, size}) {
            found.places.push_back(static_cast<float>(place));
        }
        found.turned.push_back(std::abs(matrix.b) > 0.1F * std::abs(matrix.a) || matrix.a < 0);
        found.unmapped.push_back(pdf.has_unicode_map_error(page, i) == 1);
        void* const object = pdf.get_text_object(page, i);
        void* const font = object == nullptr ? nullptr : pdf.get_font(object);
        const auto [at, fresh] =
            indexes.try_emplace(font, static_cast<std::int32_t>(found.names.size()));
        if (fresh) {
            std::string name(256, '\0');
            unsigned long size_of_name = 0;
            if (font != nullptr) {
                size_of_name = pdf.get_base_font_name(font, name.data(), name.size());
            }
            name.resize(size_of_name > 0 && size_of_name <= name.size() ? size_of_name - 1 : 0);
            for (char& letter : name) {  // a hostile file may name its fonts anything
                letter = letter >= ' ' && letter <= '~' ? letter : '?';
            }
            found.names.emplace_back(name, font ? pdf.get_weight(font) : 0,
                                     font ? pdf.get_flags(font) : 0);
        }
        found.fonts.push_back(at->second);
    }
    return found;
}

std::tuple<Column<std::uint32_t>, Column<float>, Column<std::int32_t>, Column<std::uint8_t>,
           Column<std::uint8_t>, std::vector<Font>>
pdf_characters(nb::dict addresses, std::uintptr_t text_page, int most) {
    const Functions functions = functions_of(addresses);
    Characters found = characters(functions, reinterpret_cast<void*>(text_page), most);
    return {column(std::move(found.codes)), column(std::move(found.places)),
            column(std::move(found.fonts)), column(std::move(found.turned)),
            column(std::move(found.unmapped)), found.names};
}

}  // namespace

void bind_pdf(nb::module_& module) {
    module.def("pdf_characters", &pdf_characters, nb::arg("functions"), nb::arg("text_page"),
               nb::arg("most"));
}

}  // namespace rowen
