"""What lists of names and of affiliations tell of their members, beyond what each shows itself.

The chain judges token by token, and may miss a name that looks like none. In a list whose other
members are names, what stands between two commas is one as well; and where authors are marked
from 1 on, the same numbers, counting up, begin the affiliations.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

from rowen.scholar.people.signatures import BETWEEN, signatures_of
from rowen.scholar.people.tokens import Token
from rowen.scholar.people.words import kind_of

_INSIDE = frozenset(".,-‐‑'’`")  # signs that a name may have
_ELSE = frozenset({"organisation", "contact", "institution"})
_MOST = 6  # words of a name that no label tells of


def listed_names(tokens: Sequence[Token], labels: Sequence[str]) -> list[str]:
    """Labels with the names that lists show."""
    found = list(labels)
    anywhere = any(label.startswith("name") for label in labels)
    before: list[int] = []
    open_: list[int] = []  # the part that the line before may have left unfinished
    for line in _lines(tokens):
        first = not before or tokens[before[0]].cell != tokens[line[0]].cell
        goes_on = _goes_on(tokens, found, before, line)
        # Where authors are looked for first, a line of authors needs no other sign.
        sure = tokens[line[0]].zone == "author" and (first or goes_on or not anywhere)
        parts: list[list[int]] = []
        if sure or goes_on or _names_most(tokens, labels, line):
            parts = list(_parts(tokens, found, line))
            if parts and not first and _one_name(tokens, labels, open_, parts[0]):
                parts[0] = open_ + parts[0]
            for part in parts:
                if _like_name(tokens, found, part, sure=sure, parted=len(parts) > 1):
                    found[part[0]] = "name" if labels[part[0]] == "name" else "name start"
                    found[part[0] + 1 : part[-1] + 1] = ["name"] * (len(part) - 1)
        open_ = parts[-1] if parts and parts[-1][-1] == line[-1] else []
        before = line
    return found


def _one_name(
    tokens: Sequence[Token], labels: Sequence[str], end: Sequence[int], start: Sequence[int]
) -> bool:
    """Whether the end of a line and the start of the next are a name, as neither is a whole one."""
    counts = [sum(tokens[i].text[0].isalpha() for i in part) for part in (end, start)]
    return all(counts) and (1 in counts or labels[start[0]] == "name")


def _names_most(tokens: Sequence[Token], labels: Sequence[str], line: Sequence[int]) -> bool:
    """Whether much of a line is names."""
    words = [i for i in line if tokens[i].text[0].isalpha()]
    return sum(labels[i].startswith("name") for i in words) > 0.3 * len(words)


def _lines(tokens: Sequence[Token]) -> Iterator[list[int]]:
    for _, group in groupby(range(len(tokens)), lambda i: tokens[i].line):
        yield list(group)


def _goes_on(
    tokens: Sequence[Token], labels: Sequence[str], before: Sequence[int], line: Sequence[int]
) -> bool:
    """Whether a line goes on with the list of names of the one before it, and is set as that."""
    if not before or not any(labels[i].startswith("name") for i in before):
        return False
    last, first = tokens[before[-1]], tokens[line[0]]
    if last.cell != first.cell or last.type != first.type or first.raised:
        return False
    open_ = last.text.lower() in BETWEEN or first.text.lower() in {"and", "&"}
    return open_ or (first.zone == "author" and first.text[0].isalpha())


def _parts(
    tokens: Sequence[Token], labels: Sequence[str], line: Sequence[int]
) -> Iterator[list[int]]:
    """What separators, marks, gaps and degrees part."""
    part: list[int] = []
    between = BETWEEN - {","} if _inverted(tokens, line) else BETWEEN
    for i in line:
        token = tokens[i]
        ends = (
            token.text.lower() in between
            or bool(token.raised)
            or labels[i] in {"mark", "email"}
            or kind_of(token.text.lower()) == "degree"
        )
        if (ends or token.gap) and part:
            yield part
            part = []
        if not ends:
            part.append(i)
    if part:
        yield part


def _inverted(tokens: Sequence[Token], line: Sequence[int]) -> bool:
    """Whether names are as `Lovelace, Ada; Hopper, Grace`: no comma parts them."""
    parts: list[list[str]] = [[]]
    for i in line:
        if tokens[i].text == ";":
            parts.append([])
        else:
            parts[-1].append(tokens[i].text)
    return len(parts) > 1 and all(
        part.count(",") == 1
        and 0 < part.index(",") < len(part) - 1
        and not any(kind_of(word.lower()) for word in part)
        for part in parts
    )


def _like_name(
    tokens: Sequence[Token],
    labels: Sequence[str],
    part: Sequence[int],
    *,
    sure: bool,
    parted: bool,
) -> bool:
    """Whether a part of a list may be a name, and no labels tell otherwise.

    In a list with separators (`parted`) a part is one name, even if labels make two of it.
    """
    words = [tokens[i].text for i in part if tokens[i].text[0].isalpha()]
    signs = [tokens[i].text for i in part if not tokens[i].text[0].isalpha()]
    kinds = [kind_of(word.lower()) for word in words]
    goes_on = labels[part[0]] == "name"
    starts = goes_on + sum(labels[i] == "name start" for i in part)
    places = sum(labels[i].startswith("affiliation") for i in part)
    return (
        (2 <= len(words) <= _MOST or (goes_on and len(words) == 1))
        and all(word[0].isupper() or kind_of(word) == "particle" for word in words)
        and _INSIDE.issuperset(signs)
        and not _ELSE.intersection(kinds)
        and (starts < 2 or parted)
        and (sure or 2 * places <= len(part))
    )


def numbered_affiliations(tokens: Sequence[Token], labels: Sequence[str]) -> list[str]:
    """Labels with affiliations cut where numbers count on that authors have as marks."""
    found = list(labels)
    marks = {mark for one in signatures_of(tokens, labels) for mark in one.marks}
    places: list[int] = []
    while (number := str(len(places) + 1)) in marks:
        start = places[-1] + 1 if places else 0
        begins = (i for i in range(start, len(tokens) - 1) if _begins(tokens, found, i, number))
        place = next(begins, None)
        if place is None:
            break
        places.append(place)
    if len(places) < 2:
        return found
    for place, following in pairwise([*places, _line_end(tokens, places[-1])]):
        found[place : place + 2] = ["mark", "affiliation start"]
        for i in range(place + 2, following):
            found[i] = found[i] if found[i] in {"mark", "email"} else "affiliation"
    return found


def _line_end(tokens: Sequence[Token], i: int) -> int:
    """Where the line of a token ends, or what tells of something else begins."""
    end = i + 2
    while (
        end < len(tokens)
        and tokens[end].line == tokens[i].line
        and kind_of(tokens[end].text.lower()) != "contact"
    ):
        end += 1
    return end


def _begins(tokens: Sequence[Token], labels: Sequence[str], i: int, number: str) -> bool:
    """Whether a number stands before an affiliation: raised, or after a space, then a capital.

    Within a line what follows must not be taken for a name: lists of authors have numbers, too.
    """
    token, after = tokens[i], tokens[i + 1]
    first = i == 0 or tokens[i - 1].line != token.line
    return (
        token.text == number
        and (bool(token.raised) or (token.spaced and (first or after.spaced)))
        and after.text[0].isupper()
        and after.line == token.line
        and (first or not labels[i + 1].startswith("name"))
        and (first or tokens[i - 1].text not in {"-", "–", "/"})
    )
