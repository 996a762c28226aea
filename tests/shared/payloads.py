"""Hostile pages, by name."""

import tomllib
from pathlib import Path

HIT = "(top||self).hits=((top||self).hits||0)+1;alert(1);fetch(`TRAP`)"
PAYLOADS = {
    name: page
    for group in tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8")).values()
    for name, page in group.items()
} | {
    "huge nesting": "<div>" * 3000 + "<img src=TRAP onerror=HIT>",
    "many attributes": "<p " + " ".join(f"on{n}=HIT" for n in range(2000)) + " onclick=HIT>x",
    "huge style": f"<style>{'p{background:url(TRAP)}' * 50_000}</style><p>x",
    "deep style": f"<style>{'a{' * 100_000}background:url(TRAP)</style><p>x",
    "long attribute": f"<p title='{'x' * 200_000}' onclick=HIT>x",
}


def payloads(trap):
    """All of them, with an address of one's own."""
    return {name: page.replace("HIT", HIT).replace("TRAP", trap) for name, page in PAYLOADS.items()}
