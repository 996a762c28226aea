// The characters of a PDF's page, asked of pdfium one by one: a page has thousands of them, each
// with half a dozen properties, and calls from Python would take longer than pdfium itself.
//
// pdfium comes as a shared library with its Python binding, which gives the functions' addresses;
// so nothing of it is linked here.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>
#include <vector>

#include "columns.hpp"
#include "native.hpp"
#include "pdf_characters.hpp"
#include "pdf_shapes.hpp"

namespace nb = nanobind;

namespace rowen {
namespace {

using namespace pdf;

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
    take(addresses, "FPDFPageObj_GetFillColor", found.get_fill_color);
    take(addresses, "FPDFTextObj_GetTextRenderMode", found.get_render_mode);
    return found;
}

std::tuple<Column<std::uint32_t>, Column<float>, Column<std::int32_t>, Column<std::uint8_t>,
           Column<std::uint8_t>, Column<std::uint8_t>, std::vector<Font>>
pdf_characters(nb::dict addresses, std::uintptr_t text_page, int most) {
    const Functions functions = functions_of(addresses);
    Characters found = characters(functions, reinterpret_cast<void*>(text_page), most);
    return {column(std::move(found.codes)), column(std::move(found.places)),
            column(std::move(found.fonts)), column(std::move(found.directions)),
            column(std::move(found.unmapped)), column(std::move(found.pale)), found.names};
}

std::tuple<Column<std::uint8_t>, Column<float>> pdf_shapes(nb::dict addresses, std::uintptr_t page,
                                                           int most) {
    ShapeFunctions functions{};
    take(addresses, "FPDFPage_CountObjects", functions.count_objects);
    take(addresses, "FPDFPage_GetObject", functions.get_object);
    take(addresses, "FPDFPageObj_GetType", functions.get_type);
    take(addresses, "FPDFPageObj_GetBounds", functions.get_bounds);
    take(addresses, "FPDFPageObj_GetMatrix", functions.get_matrix);
    take(addresses, "FPDFFormObj_CountObjects", functions.count_form_objects);
    take(addresses, "FPDFFormObj_GetObject", functions.get_form_object);
    Shapes found = shapes(functions, reinterpret_cast<void*>(page), most);
    return {column(std::move(found.kinds)), column(std::move(found.boxes))};
}

}  // namespace

void bind_pdf(nb::module_& module) {
    module.def("pdf_characters", &pdf_characters, nb::arg("functions"), nb::arg("text_page"),
               nb::arg("most"));
    module.def("pdf_shapes", &pdf_shapes, nb::arg("functions"), nb::arg("page"), nb::arg("most"));
}

}  // namespace rowen
