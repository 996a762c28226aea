"""What sections are by their headings: acknowledgements, funding, data availability and so on."""

import re
import tomllib
from functools import cache
from importlib.resources import files

KINDS = (
    "acknowledgements", "funding", "data availability", "conflict of interest",
    "author contributions", "ethics", "abbreviations", "supplement", "appendix",
)  # fmt: skip
"""The kinds of sections that are known by their headings."""

_LETTERED = re.compile(r"[A-Z](?:\.\d{1,2})*$")


def kind_of_section(heading: str | None, number: str | None, before: str | None) -> str | None:
    """The kind of a section; `before` is that of the section before it.

    >>> kind_of_section("Acknowledgments", None, None)
    'acknowledgements'
    """
    if not heading:
        return None
    plain = heading[len(number) :] if number and heading.startswith(number) else heading
    plain = plain.strip(" .:—–-\t")
    for kind, form in _forms().items():
        if form.fullmatch(plain):
            return kind
    # Sections with letters for numbers are appendices; a Roman I, V or X may be a number.
    if number and _LETTERED.match(number) and (before == "appendix" or number == "A"):
        return "appendix"
    return None


@cache
def _forms() -> dict[str, re.Pattern[str]]:
    table = tomllib.loads(files(__package__).joinpath("kinds.toml").read_text("utf-8"))
    return {kind: re.compile(table[kind], re.IGNORECASE) for kind in KINDS}
