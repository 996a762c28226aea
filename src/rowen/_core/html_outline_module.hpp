// An outline as Python holds it.
#pragma once

#include <nanobind/nanobind.h>

#include "html_outline.hpp"

namespace rowen {

struct HtmlOutline {
    nanobind::str text;
    html::Outline columns;
};

}  // namespace rowen
