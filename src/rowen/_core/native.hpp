// Each kernel has a face for Python in a file of its own.
#pragma once

#include <nanobind/nanobind.h>

namespace rowen {

void bind_chain(nanobind::module_& module);
void bind_confinement(nanobind::module_& module);
void bind_data_scan(nanobind::module_& module);
void bind_fingerprint(nanobind::module_& module);
void bind_html_tokens(nanobind::module_& module);
void bind_html_outline(nanobind::module_& module);
void bind_json_lines(nanobind::module_& module);
void bind_match(nanobind::module_& module);
void bind_near_index(nanobind::module_& module);
void bind_pdf(nanobind::module_& module);
void bind_quiet(nanobind::module_& module);
void bind_scan(nanobind::module_& module);
void bind_segments(nanobind::module_& module);
void bind_substrings(nanobind::module_& module);
void bind_token_scan(nanobind::module_& module);
void bind_universal_hash(nanobind::module_& module);

}  // namespace rowen
