// The extension module: arguments in, results out, no policy.
#include "native.hpp"

NB_MODULE(native, module) {
    module.doc() = "Kernels in C++; rowen._core says what each of them gives.";
    rowen::bind_chain(module);
    rowen::bind_confinement(module);
    rowen::bind_data_scan(module);
    rowen::bind_fingerprint(module);
    rowen::bind_html_tokens(module);
    rowen::bind_html_outline(module);
    rowen::bind_json_lines(module);
    rowen::bind_match(module);
    rowen::bind_near_index(module);
    rowen::bind_pdf(module);
    rowen::bind_quiet(module);
    rowen::bind_scan(module);
    rowen::bind_segments(module);
    rowen::bind_substrings(module);
    rowen::bind_token_scan(module);
    rowen::bind_universal_hash(module);
}
