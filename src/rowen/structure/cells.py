"""What is template and what varies inside the texts of a column.

    Filed 02/24/12, No. 10-4092
    Filed 03/01/12, No. 11-1015          template: "Filed", ", No."
    Filed 03/05/12, No. 10-3388          parts:    after "Filed" and before ", No."; after ", No."

A token is template if each text has it exactly once, always in the same order. Runs of template
tokens separate parts, if they are words or marks that people separate with: digits, and the marks
inside dates and numbers, are not. A part that is the same in all texts is no part.
"""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import pairwise

from rowen.wrappers.region.part import LONGEST_SHAPE, WHITE, Part, shape_of

TEXTS = 60
"""Limit: so many texts of a column are compared."""

LONGEST = 400
"""Limit: longer texts are prose, which has no parts."""

PARTS = 6
"""Limit: a column with more parts than this is prose, too."""

NEARLY_ALL = 0.95
"""This share of the texts has a template token."""

FILLED = 0.8
"""This share of the texts has something in a part."""

FRAMED = 0.5
"""This share of the texts has the marks around a value."""

SHAPES = 40
"""Limit: so many shapes are looked at closely, the longest ones."""

RUN = 4
"""Limit: a shape is that of so many words at most."""

RUN_CHARACTERS = 40
"""Limit: and of so many characters."""

DIGITS = 4
"""A number alone is a value inside a text if it has so many digits."""

REMEMBERED = 512
"""Limit: for so many columns the shapes are remembered: the same texts are in many groups."""

BRACKETED = 0.3
"""This share of the texts has something in brackets."""

_SIGNS = r",;|\u00b7\u2022\u2013\u2014\u203a\u00bb"
_SEPARATING = set(_SIGNS.encode().decode("unicode_escape"))
_FRAMES = (
    (Part("(", ")"), re.compile(r"\([^()<>&]+\)")),
    (Part("[", "]"), re.compile(r"\[[^\[\]<>&]+\]")),
    (Part(None, "."), re.compile(r"[0-9]{1,6}\.")),
    (None, re.compile(f"[{_SIGNS}][^<>&]*[^<>&{_SIGNS}]")),
    (None, re.compile(f"[^<>&{_SIGNS}][^<>&]*[{_SIGNS}]")),
)
"""Marks around a value that are no part of it; in the last two, one sign that separates texts."""
_BRACKETED = re.compile(r"[^()<>&]*[^()<>&\s][^()<>&]*\([^()<>&]+\)")
_FILE = re.compile(r"[^?#]*/([^/?#]+\.[A-Za-z][A-Za-z0-9]{1,4})")
_DATE = re.compile(r"(?<![0-9-])(?:19|20)[0-9]{2}-[01][0-9]-[0-3][0-9](?![0-9])")
_SIGNS_OF_HTML = {"&lt;", "&gt;", "&amp;", "&quot;", "&apos;", "&#39;"}
"""These stand for signs that are part of what people write, as in "<string>" or "Tom & Co."."""
_TOKENS = re.compile(r"&(?:\w+|#\w+);|<[^<>]*>|[^\W\d_]+|\d+|\s+|.", re.DOTALL)
_PARAMETER = re.compile(r"[?&;]([A-Za-z_][\w.-]*)=")
_CODES = re.compile(r"[^\W_]+(?:[-./:'_#&][^\W_]+)*")
_WORD = re.compile(r"[^\W\d_]{2,}")
_JOINED = re.compile(r"[\w./_#@$€£-]|\s")
_MARKS = re.compile(r"""[:|;()\[\]•·"“”\u2013\u2014]|[,/-](?:\s|&nbsp;|$)|\s[/-]|&nbsp;|['"]""")


def split_texts(texts: Sequence[str]) -> list[Part]:
    """The parts of the texts of a column; none where a text is a value as it stands."""
    chosen = [text for text in texts[:TEXTS] if text]
    if len(chosen) < 2 or max(map(len, chosen)) > LONGEST or len(set(chosen)) < 2:
        return []
    lists = [_TOKENS.findall(text) for text in chosen]
    separators = _separators(lists)
    if not separators or len(separators) > PARTS:
        return []
    parts = [Part(left, right) for left, right in pairwise([None, *separators, None])]
    return [part for part in parts if _varies(part, chosen)]


def frames_of(texts: Sequence[str]) -> list[Part]:
    """The marks that most texts begin or end with, as in "(265)", "22 May 2026 —" or "1.".

    The value is what is between them: a part for each way of writing that there is, the last one
    for texts without these marks. No part where marks belong to values.
    """
    chosen = [text.strip() for text in texts[:TEXTS] if text.strip()]
    if not chosen or max(map(len, chosen)) > LONGEST:
        return []
    for known, pattern in _FRAMES:
        framed = [text for text in chosen if pattern.fullmatch(text)]
        if len(framed) < FRAMED * len(chosen):
            continue
        first, last = framed[0][0], framed[0][-1]
        frame = known or Part(
            first if first in _SEPARATING else None, last if last in _SEPARATING else None
        )
        others = [text for text in chosen if not pattern.fullmatch(text)]
        marks = _SEPARATING if known is None else {known.left, known.right}
        is_safe = not any(sign and sign in text for text in others for sign in marks)
        if is_safe and all(_is_whole(frame, text) for text in framed):
            return [frame, Part()] if others else [frame]
    return []


def _is_whole(frame: Part, text: str) -> bool:
    """Whether a part is all of a text but its first and last sign."""
    bounds = frame.value(text, 0, len(text))
    start, end = bool(frame.left), len(text) - bool(frame.right)
    return bounds is not None and text[slice(*bounds)] == text[start:end].strip(WHITE)


def brackets_of(texts: Sequence[str]) -> list[list[Part]]:
    """What is before brackets at the end of texts, and what is in them; not all need to have some.

    Lund (1979), Haifa, Cork (2004)      parts: Lund, Haifa, Cork; 1979, 2004
    """
    chosen = [text.strip() for text in texts[:TEXTS] if text.strip()]
    with_brackets = [text for text in chosen if _BRACKETED.fullmatch(text)]
    if len(with_brackets) < max(BRACKETED * len(chosen), 2):
        return []
    if any("(" in text for text in chosen if text not in with_brackets):
        return []
    return [[Part(None, "("), Part()], [Part("(", ")")]]


def shapes_of(texts: Sequence[str]) -> list[Part]:
    """Numbers, dates and codes that nearly all texts have one of, by their shape.

    Order No. 22-1403 of May 3, 2024, modified       shapes  "9-9"     22-1403, 22-0917
    Decision of April 19, 2023 (No. 22-0917)                 "x 9, 9"  May 3, 2024; April 19, 2023
    """
    chosen = tuple(text for text in texts[:TEXTS] if text)
    if len(chosen) < 2 or max(map(len, chosen)) > LONGEST or len(set(chosen)) < 2:
        return []
    return list(_shapes_of(chosen))


@lru_cache(maxsize=REMEMBERED)
def _shapes_of(texts: tuple[str, ...]) -> tuple[Part, ...]:
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(_shapes_in(text))
    common = [shape for shape, count in counts.items() if count >= FILLED * len(texts)]
    parts: list[tuple[Part, list[tuple[int, int] | None]]] = []
    for shape in sorted(common, key=lambda shape: (-len(shape), shape))[:SHAPES]:
        part = Part(shape=shape)
        found = [part.value(text, 0, len(text)) for text in texts]
        values = {text[slice(*own)] for text, own in zip(texts, found, strict=True) if own}
        is_whole = sum(own == (0, len(text)) for text, own in zip(texts, found, strict=True))
        if len(values) < 2 or 2 * is_whole > len(texts) or _is_short(shape, values):
            continue
        if not any(_overlap(found, other) for _, other in parts):
            parts.append((part, found))
    return tuple(part for part, _ in parts[:PARTS])


def _shapes_in(text: str) -> set[str]:
    """The shapes of the runs of words in a text that have a digit."""
    words = [match.span() for match in _CODES.finditer(text)]
    shapes = set()
    for first, (start, stop) in enumerate(words):
        for last, end in words[first : first + RUN]:
            run = text[start:end]
            if len(run) > RUN_CHARACTERS:
                break
            # "of" before a date is no part of it.
            if any(
                word.isalpha() and word.islower() for word in (text[start:stop], text[last:end])
            ):
                continue
            if any(map(str.isdigit, run)) and len(shape := shape_of(run)) <= LONGEST_SHAPE:
                shapes.add(shape)
    return shapes


def _is_short(shape: str, values: Collection[str]) -> bool:
    """Whether values are small numbers, which texts have anywhere."""
    return shape == "9" and min(map(len, values)) < DIGITS


def _overlap(
    found: Sequence[tuple[int, int] | None], others: Sequence[tuple[int, int] | None]
) -> bool:
    """Whether values are mostly in or around others of the same texts."""
    both = [(a, b) for a, b in zip(found, others, strict=True) if a and b]
    return 2 * sum(a[0] < b[1] and b[0] < a[1] for a, b in both) > len(both)


def addresses_of(texts: Sequence[str]) -> dict[str, Part]:
    """The pieces of links that people look for: the name of a file, a date, a parameter."""
    chosen = [text for text in texts[:TEXTS] if text]
    pieces = {}
    if chosen and len(set(chosen)) > 1:
        files = [match[1] for text in chosen if (match := _FILE.fullmatch(text))]
        if len(files) == len(chosen):
            pieces["file"] = Part("/", last=True)
        if all(_DATE.search(text) for text in chosen):
            pieces["date"] = Part(shape="9-9-9")
        names = Counter(name for text in chosen for name in set(_PARAMETER.findall(text)))
        for name in [name for name, count in names.items() if count == len(chosen)][:PARTS]:
            part = Part(f"{name}=", None)
            values = {re.split("[&#]", text.split(f"{name}=", 1)[1])[0] for text in chosen}
            if len(values) > 1 and all(values):
                last = all(not set("&#") & set(text.split(f"{name}=", 1)[1]) for text in chosen)
                pieces[name] = part if last else Part(f"{name}=", "&")
    return pieces


def _varies(part: Part, texts: Sequence[str]) -> bool:
    values = [text[slice(*bounds)] for text in texts if (bounds := part.value(text, 0, len(text)))]
    if len(values) < FILLED * len(texts) or len(set(values)) < 2:
        return False
    return any(any(map(str.isalnum, value)) for value in values)


def _separators(lists: Sequence[list[str]]) -> list[str]:
    """Runs of template tokens that separate, in order."""
    template = _template(lists)
    if not template:
        return []
    having = [tokens for tokens in lists if _places(tokens, template) is not None]
    places = [places for tokens in having if (places := _places(tokens, template)) is not None]
    runs: list[list[int]] = [[0]]
    for number in range(1, len(template)):
        texts = {
            "".join(tokens[own[number - 1] + 1 : own[number]])
            for tokens, own in zip(having, places, strict=True)
        }
        # Only white space between them, always the same: then they are one run.
        if len(texts) == 1 and not next(iter(texts)).strip():
            runs[-1].append(number)
        else:
            runs.append([number])
    tokens, own = having[0], places[0]
    strings = []
    for run in runs:
        start, end = _loose(tokens, own[run[0]], own[run[-1]] + 1)
        text = "".join(tokens[start:end]).strip()
        around = "".join(tokens[max(start - 1, 0) : end + 1])
        if text and (_WORD.search(text) or _MARKS.search(around)):
            strings.append(text)
    return strings


def _loose(tokens: list[str], start: int, end: int) -> tuple[int, int]:
    """A run without what is joined to the parts beside it, as the A in "No. A-12" is."""
    while start < end and start > 0 and _JOINED.match(tokens[start]) and tokens[start - 1].strip():
        start += 1
    while start < end < len(tokens) and _JOINED.match(tokens[end - 1]) and tokens[end].strip():
        end -= 1
    return start, end


def _template(lists: Sequence[list[str]]) -> list[str]:
    """Tokens that nearly all texts have exactly once, in the order of all texts."""
    once: Counter[str] = Counter()
    for tokens in lists:
        counts = Counter(tokens)
        once.update(token for token, count in counts.items() if count == 1 and token.strip())
    common = {token for token, count in once.items() if count >= NEARLY_ALL * len(lists)}
    common = {token for token in common if not token.isdigit() and token not in _SIGNS_OF_HTML}
    if not common:
        return []
    orders = [[token for token in tokens if token in common] for tokens in lists]
    template, times = Counter(map(tuple, orders)).most_common(1)[0]
    # Where texts disagree about the order, nothing is certain.
    return list(template) if times >= NEARLY_ALL * len(lists) else []


def _places(tokens: list[str], template: Sequence[str]) -> list[int] | None:
    places = []
    start = 0
    for token in template:
        try:
            start = tokens.index(token, start) + 1
        except ValueError:
            return None
        places.append(start - 1)
    return places
