"""Corrections of the CRF's labels in lists of names and of affiliations.

The CRF may miss a name that it does not know. In a list whose other members are names, the text
between two separators is a name as well. And where authors have the marks 1, 2 and so on, the same
numbers, counting up, begin the affiliations.

    Ada Lovelace, Grace Hopper and Alan Turing
    name          other            name            the CRF: most of the line is names
    name          name             name            so the part between two separators is one, too
"""

from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

from rowen.citations.lexicon import lexicon_class
from rowen.papers.people.signatures import BETWEEN, signatures_of
from rowen.papers.people.tokens import Token, Type
from rowen.papers.people.words import kind_of

_INSIDE = frozenset(".,-‐‑'’`")  # signs that a name may have
_NEVER_LISTED = frozenset(":©")
_ELSE = frozenset({"organisation", "contact", "institution"})
_NEAR = 2  # lines: a line of names is so near to another one
_MOST_TOKENS = 12  # of a name with its signs
_MOST = 6  # words of a name that the CRF has not labelled


def listed_names(tokens: Sequence[Token], labels: Sequence[str]) -> list[str]:
    """Labels in which all members of lists of names are names."""
    corrected = list(labels)
    anywhere = any(label.startswith("name") for label in labels)
    before: list[int] = []
    open_: list[int] = []  # the last part of the line before, which may go on in this line
    for line in _lines(tokens):
        first = not before or tokens[before[0]].cell != tokens[line[0]].cell
        goes_on = _goes_on(tokens, corrected, before, line)
        # The zone `author` is enough for the first line of a cell, for a line that goes on, and
        # where the CRF found no name at all. Elsewhere much of the line must be names already.
        sure = tokens[line[0]].zone == "author" and (first or goes_on or not anywhere)
        parts: list[list[int]] = []
        if (sure or goes_on or _names_most(tokens, labels, line)) and _may_list(tokens, line):
            parts = list(_parts(tokens, corrected, line))
            if parts and not first and _one_name(tokens, labels, open_, parts[0]):
                parts[0] = open_ + parts[0]
            for part in parts:
                if _like_name(tokens, corrected, part, sure=sure, parted=len(parts) > 1):
                    corrected[part[0]] = "name" if labels[part[0]] == "name" else "name start"
                    corrected[part[0] + 1 : part[-1] + 1] = ["name"] * (len(part) - 1)
        open_ = parts[-1] if parts and parts[-1][-1] == line[-1] else []
        before = line
    return corrected


def _one_name(
    tokens: Sequence[Token], labels: Sequence[str], end: Sequence[int], start: Sequence[int]
) -> bool:
    """Whether the end of a line and the start of the next make one name: neither is complete."""
    if any(labels[i].startswith("affiliation") for i in (*end, *start)):
        return False
    counts = [sum(tokens[i].text[0].isalpha() for i in part) for part in (end, start)]
    return all(counts) and (1 in counts or labels[start[0]] == "name")


def _may_list(tokens: Sequence[Token], line: Sequence[int]) -> bool:
    """Whether a line may be a list of authors: it does not name editors, owners or supervisors."""
    return not any(tokens[i].text in _NEVER_LISTED for i in line)


def _names_most(tokens: Sequence[Token], labels: Sequence[str], line: Sequence[int]) -> bool:
    """Whether more than three tenths of a line's words are labelled as names."""
    words = [i for i in line if tokens[i].text[0].isalpha()]
    return sum(labels[i].startswith("name") for i in words) > 0.3 * len(words)


def _lines(tokens: Sequence[Token], among: Sequence[int] | None = None) -> Iterator[list[int]]:
    """The indexes of the tokens of each line; only of some tokens, if these are given."""
    indexes = range(len(tokens)) if among is None else among
    for _, group in groupby(indexes, lambda i: tokens[i].line):
        yield list(group)


def _goes_on(
    tokens: Sequence[Token], labels: Sequence[str], before: Sequence[int], line: Sequence[int]
) -> bool:
    """Whether a line continues the list of names of the line before, in the same type."""
    if not before or not any(labels[i].startswith("name") for i in before):
        return False
    last, first = tokens[before[-1]], tokens[line[0]]
    if last.cell != first.cell or last.type != first.type or first.raised:
        return False
    open_ = last.text.lower() in BETWEEN or first.text.lower() in {"and", "&"}
    # A list that ends in a single word has the rest of that name on the next line.
    single = len(before) > 2 and tokens[before[-2]].text in {",", ";"} and last.text.istitle()
    open_ = open_ or (single and last.zone == "author" and first.text.istitle())
    return open_ or (first.zone == "author" and first.text[0].isalpha())


def _parts(
    tokens: Sequence[Token], labels: Sequence[str], line: Sequence[int]
) -> Iterator[list[int]]:
    """The parts of a line between separators, marks, gaps and academic degrees."""
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
    """Whether names are written `Lovelace, Ada; Hopper, Grace`: commas do not separate them."""
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
    """Whether a part of a list may be a name and its labels do not contradict that.

    In a list with separators (`parted`) a part is one name, even if its labels begin two names.
    `sure`: the line is in the zone of authors, so labels of affiliations are overruled.
    """
    words = [tokens[i].text for i in part if tokens[i].text[0].isalpha()]
    signs = [tokens[i].text for i in part if not tokens[i].text[0].isalpha()]
    kinds = [kind_of(word.lower()) for word in words]
    goes_on = labels[part[0]] == "name"
    starts = goes_on + sum(labels[i] == "name start" for i in part)
    places = sum(labels[i].startswith("affiliation") for i in part)
    return (
        (2 <= len(words) <= _MOST or (goes_on and len(words) == 1))
        and all(not word[0].islower() or kind_of(word) == "particle" for word in words)
        and _INSIDE.issuperset(signs)
        and not _ELSE.intersection(kinds)
        and (starts < 2 or parted)
        and (sure or 2 * places <= len(part))
    )


def cell_heads(tokens: Sequence[Token], labels: Sequence[str]) -> list[str]:
    """Labels in which the lines of a cell that are set as its names are names.

    These are lines in the type of a name where affiliations have another type, and
    `Name, affiliation` below another such line. Where the CRF found no name in a
    cell with an affiliation and an address, its first line is one, and the first after an address.
    """
    corrected = list(labels)
    if not any(label.startswith("name") for label in labels):
        _lead_by_names(tokens, corrected)
    placed = {token.type for token in tokens if _is_placed(token)}
    for _, group in groupby(range(len(tokens)), lambda i: tokens[i].cell):
        cell = list(group)
        _complete_column(tokens, corrected, cell, placed)
        own = {labels[i].removesuffix(" start") for i in cell}
        if tokens[cell[0]].zone == "footnote" or "affiliation" not in own:
            continue
        if "name" in own:
            _complete_cell(tokens, corrected, cell)
        elif "email" in own:
            _head_cell(tokens, corrected, cell)
    return corrected


def _is_placed(token: Token) -> bool:
    low = token.text.lower()
    return "@" in low or kind_of(low) in {"organisation", "institution"}


def _complete_column(
    tokens: Sequence[Token], labels: list[str], cell: Sequence[int], placed: set[Type | None]
) -> None:
    """Name the lines of a cell beside a name in a type that nothing but names has."""
    lines = list(_lines(tokens, cell))
    named = [
        all(labels[i].startswith("name") or labels[i] == "mark" for i in line) for line in lines
    ]
    for k, line in enumerate(lines):
        own = tokens[line[0]].type
        near = range(max(k - _NEAR, 0), min(k + _NEAR + 1, len(lines)))
        if (
            own is not None
            and own not in placed
            and not any(labels[i].startswith("name") for i in line)
            and any(named[other] and tokens[lines[other][0]].type == own for other in near)
        ):
            words = [i for i in line if labels[i] != "mark" and not tokens[i].raised]
            sure = tokens[line[0]].zone in {"author", "affiliation"} or all(
                not kind_of(tokens[i].text.lower()) for i in words
            )
            if (
                words
                and sure
                and not _has_place(tokens, words)
                and _like_name(tokens, labels, words, sure=True, parted=True)
            ):
                _label_name(labels, words)


def _lead_by_names(tokens: Sequence[Token], labels: list[str]) -> None:
    """Name what is before the comma of lines `Name, affiliation`, in a front without a name.

    Also a line of capitals above the title or below it that may be a name.
    """
    alone = []
    for line in _lines(tokens):
        comma = _first_comma(tokens, line)
        lead, rest = line[:comma], line[comma + 1 :]
        organised = any(kind_of(tokens[i].text.lower()) == "organisation" for i in rest)
        if lead and organised and _is_person(tokens, labels, lead):
            _label_name(labels, lead)
            labels[line[comma]] = "other"
            labels[rest[0]] = "affiliation start"
            for i in rest[1:]:
                labels[i] = labels[i] if labels[i] in {"mark", "email"} else "affiliation"
        elif not comma and tokens[line[0]].zone in {"header", "author"}:
            words = [i for i in line if labels[i] != "mark"]
            if (
                words
                and not _has_place(tokens, words)
                and _like_name(tokens, labels, words, sure=True, parted=True)
            ):
                alone.append(words)
    # Of several lines only those with a given name are names.
    for words in alone:
        if len(alone) == 1 or _is_person(tokens, labels, words):
            _label_name(labels, words)


def _is_person(tokens: Sequence[Token], labels: Sequence[str], words: Sequence[int]) -> bool:
    """Whether words may be a name and one of them is known as a given name, the first or second."""
    known = any("g" in lexicon_class(tokens[i].text.lower()) for i in words[:2])
    return (
        known
        and not _has_place(tokens, words)
        and _like_name(tokens, labels, words, sure=True, parted=True)
    )


def _head_cell(tokens: Sequence[Token], labels: list[str], cell: Sequence[int]) -> None:
    """Name the first line of a cell, and each line after an address."""
    head = True
    for line in list(_lines(tokens, cell)):
        words = [i for i in line if labels[i] != "email"]
        if head and words and _like_name(tokens, labels, words, sure=True, parted=True):
            _label_name(labels, words)
        head = len(words) < len(line)


def _complete_cell(tokens: Sequence[Token], labels: list[str], cell: Sequence[int]) -> None:
    """Name the lines of a cell that are set like those with names."""
    lines = list(_lines(tokens, cell))
    named = {tokens[line[0]].type for line in lines if labels[line[0]].startswith("name")}
    placed = {
        tokens[line[0]].type
        for line in lines
        if any(kind_of(tokens[i].text.lower()) == "organisation" for i in line)
    }
    led = any(_led_by_name(tokens, labels, line) for line in lines)
    for line in lines:
        first = tokens[line[0]]
        words = [i for i in line if labels[i] not in {"email", "mark"}]
        if not words or any(labels[i].startswith("name") for i in line):
            continue
        alike = placed and first.type in named - placed and not _has_place(tokens, words)
        if alike and _like_name(tokens, labels, words, sure=True, parted=True):
            _label_name(labels, words)
        elif led and first.type in named and (comma := _first_comma(tokens, line)):
            lead = line[:comma]
            if _like_name(tokens, labels, lead, sure=True, parted=True):
                _label_name(labels, lead)
                labels[line[comma]] = "other"
                if comma + 1 < len(line):
                    labels[line[comma + 1]] = "affiliation start"


def _has_place(tokens: Sequence[Token], words: Sequence[int]) -> bool:
    """Whether a word is the name of a place and not of people: `KU Leuven`."""
    classes = [frozenset(lexicon_class(tokens[i].text.lower())) for i in words]
    return any(own & {"p", "c"} and not own & {"g", "f"} for own in classes)


def _led_by_name(tokens: Sequence[Token], labels: Sequence[str], line: Sequence[int]) -> bool:
    """Whether a line is a name, a comma and an affiliation."""
    comma = _first_comma(tokens, line)
    return (
        0 < comma < len(line) - 1
        and all(labels[i].startswith("name") for i in line[:comma])
        and labels[line[comma + 1]] == "affiliation start"
    )


def _first_comma(tokens: Sequence[Token], line: Sequence[int]) -> int:
    """The place of a line's first comma; 0 if it has none."""
    return next((k for k, i in enumerate(line) if tokens[i].text == ","), 0)


def _label_name(labels: list[str], words: Sequence[int]) -> None:
    for k, i in enumerate(words):
        labels[i] = "name" if k else "name start"


def numbered_affiliations(tokens: Sequence[Token], labels: Sequence[str]) -> list[str]:
    """Labels in which the numbers that mark authors begin the affiliations, counting up from 1."""
    corrected = list(labels)
    marks = {mark for signature in signatures_of(tokens, labels) for mark in signature.marks}
    places: list[int] = []
    while (number := str(len(places) + 1)) in marks:
        start = places[-1] + 1 if places else 0
        begins = (i for i in range(start, len(tokens) - 1) if _begins(tokens, corrected, i, number))
        place = next(begins, None)
        if place is None:
            break
        places.append(place)
    # A single number proves nothing; two or more that count up do.
    if len(places) < 2:
        return corrected
    for place, following in pairwise([*places, _line_end(tokens, places[-1])]):
        corrected[place : place + 2] = ["mark", "affiliation start"]
        for i in range(place + 2, following):
            corrected[i] = corrected[i] if corrected[i] in {"mark", "email"} else "affiliation"
    return corrected


def named_members(tokens: Sequence[Token], labels: Sequence[str]) -> list[str]:
    """Labels in which the name of an author after a semicolon ends an affiliation.

    Notes list people with their addresses: `Ada Lovelace, Yale, USA; Grace Hopper, UCL, UK`.
    """
    corrected = list(labels)
    names = {_spelled(signature.tokens) for signature in signatures_of(tokens, labels)}
    for i, token in enumerate(tokens):
        if token.text != ";" or not labels[i].startswith("affiliation"):
            continue
        words = tokens[i + 1 : i + 2 + _MOST_TOKENS]
        end = next((k for k, word in enumerate(words) if word.text == ","), 0)
        if _spelled(words[:end]) in names:
            corrected[i : i + end + 2] = ["other"] * (end + 2)
            after = i + end + 2
            if after < len(tokens) and corrected[after] == "affiliation":
                corrected[after] = "affiliation start"
    return corrected


def _spelled(tokens: Sequence[Token]) -> str:
    return "".join(token.text.lower() for token in tokens)


def _line_end(tokens: Sequence[Token], i: int) -> int:
    """The end of a token's line, or the first word for contact details on it."""
    end = i + 2
    while (
        end < len(tokens)
        and tokens[end].line == tokens[i].line
        and kind_of(tokens[end].text.lower()) != "contact"
    ):
        end += 1
    return end


def _begins(tokens: Sequence[Token], labels: Sequence[str], i: int, number: str) -> bool:
    """Whether a number begins an affiliation: raised or after a space, with a capital after it.

    Inside a line, a name must not follow: lists of authors have numbers, too. A number after a dash
    or slash begins nothing.
    """
    token, after = tokens[i], tokens[i + 1]
    first = i == 0 or tokens[i - 1].line != token.line
    return (
        token.text == number
        and (bool(token.raised) or (token.spaced and (first or after.spaced)))
        and (after.text[0].isupper() or kind_of(after.text) == "organisation")
        and after.line == token.line
        and (first or not labels[i + 1].startswith("name"))
        and (first or tokens[i - 1].text not in {"-", "–", "/"})
    )
