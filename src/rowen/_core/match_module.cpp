#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <limits>

#include "match.hpp"
#include "native.hpp"

namespace nb = nanobind;

namespace rowen {
namespace {

using namespace match;

using Rows = nb::ndarray<nb::numpy, std::int64_t, nb::shape<-1, 3>>;

Rows rows_of(Regions&& regions) {
    static_assert(sizeof(Region) == 3 * sizeof(std::int64_t));
    auto* const kept = new Regions(std::move(regions));
    nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<Regions*>(p); });
    return Rows(reinterpret_cast<std::int64_t*>(kept->data()), {kept->size(), 3}, owner);
}

// A string's characters in a given width: its own storage where that fits.
template <typename Char>
class Storage {
  public:
    explicit Storage(nb::str text) {
        PyObject* const object = text.ptr();
        size_ = static_cast<std::size_t>(PyUnicode_GET_LENGTH(object));
        switch (PyUnicode_KIND(object)) {
            case PyUnicode_1BYTE_KIND: use(PyUnicode_1BYTE_DATA(object)); break;
            case PyUnicode_2BYTE_KIND: use(PyUnicode_2BYTE_DATA(object)); break;
            default: use(PyUnicode_4BYTE_DATA(object));
        }
    }

    Text<Char> text() const { return {data_, size_}; }

  private:
    template <typename Stored>
    void use(const Stored* stored) {
        if constexpr (sizeof(Stored) == sizeof(Char)) {
            data_ = reinterpret_cast<const Char*>(stored);
        } else {
            widened_.assign(stored, stored + size_);
            data_ = widened_.data();
        }
    }

    std::size_t size_;
    const Char* data_;
    std::vector<Char> widened_;
};

// Calls a matcher with both texts in the wider one's characters. Strings can't change and the
// arguments hold them, so that their memory may be read without the lock.
template <typename Function>
auto with_texts(nb::str old_text, nb::str new_text, Function function) {
    const auto longest = std::numeric_limits<std::int32_t>::max() - 2;
    if (PyUnicode_GET_LENGTH(old_text.ptr()) > longest - PyUnicode_GET_LENGTH(new_text.ptr())) {
        throw nb::value_error("pages of more than 2147483645 characters together");
    }
    const auto call = [&](auto character) {
        const Storage<decltype(character)> old_storage(old_text);
        const Storage<decltype(character)> new_storage(new_text);
        nb::gil_scoped_release unlocked;
        return function(old_storage.text(), new_storage.text());
    };
    switch (std::max<int>(PyUnicode_KIND(old_text.ptr()), PyUnicode_KIND(new_text.ptr()))) {
        case PyUnicode_1BYTE_KIND: return call(std::uint8_t{});
        case PyUnicode_2BYTE_KIND: return call(std::uint16_t{});
        default: return call(std::uint32_t{});
    }
}

Rows match_edges(nb::str old_text, nb::str new_text, std::size_t least) {
    return rows_of(
        with_texts(old_text, new_text, [&](auto a, auto b) { return edges(a, b, least); }));
}

Rows match_suffix(nb::str old_text, nb::str new_text, std::size_t least) {
    return rows_of(with_texts(old_text, new_text,
                              [&](auto a, auto b) { return suffix(a, b, least); }));
}

std::optional<Rows> match_anchor(nb::str old_text, nb::str new_text, std::size_t least) {
    if (least < shortest_anchor) {
        return std::nullopt;
    }
    std::optional<Regions> found =
        with_texts(old_text, new_text, [&](auto a, auto b) { return anchor(a, b, least); });
    return found ? std::optional(rows_of(std::move(*found))) : std::nullopt;
}

Rows match_line(nb::str old_text, nb::str new_text, std::size_t least) {
    return rows_of(
        with_texts(old_text, new_text, [&](auto a, auto b) { return line(a, b, least); }));
}

}  // namespace

void bind_match(nb::module_& module) {
    module.def("match_edges", &match_edges, nb::arg("old"), nb::arg("new"), nb::arg("least"));
    module.def("match_suffix", &match_suffix, nb::arg("old"), nb::arg("new"), nb::arg("least"));
    module.def("match_anchor", &match_anchor, nb::arg("old"), nb::arg("new"), nb::arg("least"));
    module.def("match_line", &match_line, nb::arg("old"), nb::arg("new"), nb::arg("least"));
}

}  // namespace rowen
