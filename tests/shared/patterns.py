"""Random patterns with all that makes derived localities hard."""

import os

import regex
from hypothesis import strategies as st

EXPLORE = "ROWEN_EXPLORE" in os.environ

ATOMS = [
    "a", "b", ".", "[ab]", "[^a]", r"\n", r"\s", r"\w", r"\W", r"\d", "<", "(?:a|ab)", "(?:ab|a)",
    "(?:a|b<)", "(?>a|ab)", "(?i:A)", "(?s:.)", r"[^\s\S]", "[[:alpha:]]", r"\p{Ll}", r"(a|b)\1",
    r"\b", r"\B", r"\m", r"\M", "^", "$", r"\A", r"\Z", "(?=a)", "(?!b)", "(?<=a)", "(?<!b)",
    r"(?=\n|$)", "(?=a.)", r"(?!\s)", "(?<=b?a)", "(?P<y>b)",
]  # fmt: skip
FIELDS = [
    "(?=(?P<y>..?))", "(?<=(?P<y>.b?))", "(?<=(?=(?P<y>aa?))b)", "(?=a(?P<y>b)?)", "(?!(?P<y>a))",
    "(?=a(?<=(?P<y>ba)))", "(?s:(?<=(?P<y>.{2})))", "(?s:(?=(?P<y>.{3})))", "(?P<y>a(?=(?P<w>.b)))",
]  # fmt: skip
REPEATS = ["", "", "", "", "?", "{2}", "{1,2}", "??", "{0,2}", "+", "*", "*?", "?+"]
AROUND = ["(?:%s)", "(?P<z>%s)", "(?=%s)", "(?<=%s)", "(?:%s|b)", "(?!%s)", "(?>%s)", "(?:%s)?"]


def patterns() -> st.SearchStrategy[str]:
    """Patterns with a group x, most of them with others, in look-around too."""
    atom = st.sampled_from([*ATOMS, *FIELDS])
    part = st.tuples(atom, st.sampled_from(REPEATS)).map("".join)
    for _ in range(2):
        inner = st.lists(part, min_size=1, max_size=2).map("".join)
        nested = st.tuples(st.sampled_from(AROUND), inner, st.sampled_from(REPEATS)).map(
            lambda parts: parts[0] % parts[1] + parts[2]
        )
        part = st.one_of(part, part, nested)
    body = st.lists(part, min_size=1, max_size=3).map("".join)
    around = st.just("") | st.lists(part, max_size=2).map("".join)
    flags = st.sampled_from(["", "", "(?m)", "(?s)", "(?i)", "(?ms)"])
    return (
        st.tuples(flags, around, body, around)
        .map(lambda four: "{}{}(?P<x>{}){}".format(*four))
        .filter(compiles)
    )


def compiles(pattern: str) -> bool:
    try:
        regex.compile(pattern)
    except regex.error:
        return False
    return True
