"""Violations of accessibility rules on a screen.

axe.min.js.gz is axe-core 4.14.0 by Deque Systems, unchanged but compressed (MPL-2.0, its source is
at https://github.com/dequelabs/axe-core); only the tests use it.
"""

import gzip
from pathlib import Path

AXE = Path(__file__).parents[1].joinpath("studio", "axe.min.js.gz")


def violations(desk):
    """In light, and of what depends on colours in dark as well."""
    if not desk.window.evaluate("() => 'axe' in window"):
        desk.window.evaluate(gzip.decompress(AXE.read_bytes()).decode())
    found = []
    for scheme, rules in (("light", ""), ("dark", ", runOnly: ['color-contrast']")):
        desk.window.emulate_media(color_scheme=scheme)
        options = f"{{iframes: false, resultTypes: ['violations']{rules}}}"
        found += desk.window.evaluate(f"() => axe.run(document, {options})")["violations"]
    desk.window.emulate_media(color_scheme="light")
    return [
        f"{rule['id']}: {rule['help']}: {[node['target'] for node in rule['nodes'][:4]]}"
        for rule in found
    ]
