"""Labels for the tokens of PDFs' fronts, from the authors and affiliations that gold tells."""

import re
import unicodedata
from collections.abc import Sequence
from typing import Any

from rowen.papers.people.front import front_of
from rowen.papers.people.tokens import Token, tokens_of, words_of
from rowen.papers.zones import Zones

_REGISTER = re.compile(r"^[\d\s]*grid\.\d+\.[0-9a-f]+\d?")  # identifiers that gold has before names
_MARK = re.compile(r"\d{1,2}$|[*†‡§¶#∗⋆✉]$|[a-z]$")


def plain(text: str) -> str:
    """Letters and digits only, without accents."""
    letters = unicodedata.normalize("NFKD", text).lower()
    return re.sub(
        r"[\W_]+", "", "".join(letter for letter in letters if not unicodedata.combining(letter))
    )


def people_labels(gold: dict[str, Any], zones: Zones) -> tuple[list[Token], list[str]] | None:
    """Tokens and labels; none where an author isn't found, as that would teach a name is none."""
    tokens = tokens_of(front_of(zones))
    labels = ["other"] * len(tokens)
    words = [plain(token.text) for token in tokens]
    for author in gold["authors"]:
        person = author.get("family") and not author.get("collab")
        if person and not _name(tokens, words, labels, author):
            return None
    _label_lines_of_names(tokens, labels)
    affiliations = gold.get("affiliations")
    if affiliations:
        _label_told(tokens, labels, _spans(tokens, words, labels, affiliations))
    else:
        _label_untold(tokens, labels)
    return tokens, labels


def _label_lines_of_names(tokens: Sequence[Token], labels: list[str]) -> None:
    """Addresses everywhere, and marks on lines that have names."""
    named = {token.line for token, label in zip(tokens, labels, strict=True) if label == "name"}
    for i, token in enumerate(tokens):
        if "@" in token.text and len(token.text) > 1:
            labels[i] = "email"
        elif labels[i] == "other" and token.line in named:
            labels[i] = "mark" if token.raised or _MARK.match(token.text) else "beside"


def _label_told(tokens: Sequence[Token], labels: list[str], spans: dict[int, int]) -> None:
    """The affiliations that gold has."""
    end = 0
    for i, token in enumerate(tokens):
        if labels[i] == "other":
            if i + 1 in spans and _MARK.match(token.text):
                labels[i] = "mark"
            elif i in spans:
                labels[i], end = "affiliation start", spans[i]
            elif i < end:
                labels[i] = "affiliation"
        elif labels[i] == "beside":
            labels[i] = "other"


def _label_untold(tokens: Sequence[Token], labels: list[str]) -> None:
    """Lines of affiliations, and what stands under names, where gold has no affiliations."""
    seen: set[int] = set()
    inside = False
    for i, token in enumerate(tokens):
        if labels[i].startswith("name"):
            seen.add(token.cell)
        if labels[i] != "other" or not (token.zone == "affiliation" or token.cell in seen):
            labels[i] = "other" if labels[i] == "beside" else labels[i]
            inside = inside and labels[i] == "email"
        elif _MARK.match(token.text) and token.raised:
            labels[i], inside = "mark", False
        elif inside:
            labels[i] = "affiliation"
        elif token.text[0].isalnum():
            labels[i], inside = "affiliation start", True


def _name(
    tokens: Sequence[Token], words: Sequence[str], labels: list[str], author: dict[str, Any]
) -> bool:
    """Whether an author is found; its tokens then have their labels."""
    family = plain(author["family"])
    given_names = [plain(word) for word, _ in words_of(author.get("given") or "") if plain(word)]
    places = [
        (start, end)
        for start in range(len(tokens))
        if words[start] and labels[start] == "other"
        and (end := _spelled(words, start, family))
    ]  # fmt: skip
    places.sort(key=lambda place: (not _sure(tokens[place[0]]), place))
    for start, end in places:
        if not given_names:
            labels[start:end] = ["name start", *["name"] * (end - start - 1)]
            return True
        for first in range(start - 1, max(start - 9, -1), -1):
            if labels[first] != "other" or tokens[first].cell != tokens[start].cell:
                break
            word = words[first]
            if word and word[0].isdigit():
                break
            if word == given_names[0] or (len(word) == 1 and given_names[0].startswith(word)):
                labels[first:end] = ["name start", *["name"] * (end - first - 1)]
                return True
        last = _spelled(words, end, "".join(given_names))
        if last:
            labels[start:last] = ["name start", *["name"] * (last - start - 1)]
            return True
    return False


def _sure(token: Token) -> bool:
    return token.zone == "author"


def _spelled(words: Sequence[str], start: int, text: str) -> int:
    """Where the words from `start` on that make up a text end; 0 where they don't."""
    spelled = ""
    for end in range(start, min(start + 9, len(words))):
        spelled += words[end]
        if spelled == text:
            return end + 1
        if not text.startswith(spelled):
            return 0
    return 0


def _spans(
    tokens: Sequence[Token], words: Sequence[str], labels: Sequence[str], texts: Sequence[str]
) -> dict[int, int]:
    """Where gold's affiliations begin and end."""
    spans: dict[int, int] = {}
    for text in texts:
        whole = plain(_REGISTER.sub("", text))
        best, where = 0, -1
        for i in range(len(tokens)):
            if not words[i] or labels[i] != "other" or i in spans or not whole.startswith(words[i]):
                continue
            prefix, k = "", i
            while k < len(tokens) and len(prefix) < 40 and whole.startswith(prefix + words[k]):
                prefix += words[k]
                k += 1
            if len(prefix) > best:
                best, where = len(prefix), i
        if best > min(12, len(whole) - 1):
            spans[where] = _end(words, where, whole)
    return spans


def _end(words: Sequence[str], start: int, whole: str) -> int:
    """Where the words of a text end; a few may be missing, or in another order."""
    end, missed, matched = start, 0, 0
    for i in range(start, len(words)):
        if not words[i]:
            continue
        if words[i] in whole:
            end, missed, matched = i + 1, 0, matched + len(words[i])
        else:
            missed += 1
        if missed > 3 or matched >= len(whole):
            break
    return end
