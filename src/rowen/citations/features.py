"""Features of the tokens of a reference string, for the CRF that finds its fields.

Styles of references differ in order and punctuation, and new styles are not among the training
data. So beside its words a token has features that any style shows: the chunk between two
punctuation marks that contains it, and the position of the year.

    Smith, A. (2020). On wrappers. J. Webs, 3.
    chunks       Smith ,|A . (|2020 )|.|On wrappers .|J . Webs ,|3 .
    shape        Smith Xx, A X, 2020 year, wrappers x+, 3 1d
    keyword      J journal
    years        0 before 2020, 1 from there on

The names and the order of `FEATURES`, the texts that are hashed and `TEMPLATES` are part of the
trained model: a change to any of them needs a new model.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from rowen._core import feature_value
from rowen.citations.keywords import REFERENCE_WORDS
from rowen.citations.lexicon import lexicon_class
from rowen.citations.phrases import phrases_in
from rowen.citations.tokens import Token
from rowen.crf.tagger import template, templates_at

FEATURES = (
    "word", "stem", "shape", "ending", "short ending", "beginning", "keyword", "lexicon",
    "gap", "place", "enclosed", "chunk", "chunk before", "chunk after", "chunk place",
    "chunk style", "chunk opening", "opening after",
    "sentence", "sentence place", "years", "numbers", "phrase", "opening", "layout", "genre",
)  # fmt: skip

FEATURES_FORM = 2
"""Raised with every change to the features: models that were trained with others are refused."""

_YEAR = re.compile(r"(1[5-9]|20)\d\d$")
_ROMAN = re.compile(r"[ivxlcdm]+$", re.IGNORECASE)
_BREAKS = frozenset(',;:?!"“”„‘’«»()[]{}.『』《》')
_ENDS = frozenset(".?!")
_QUOTES = frozenset('"“”„«»')
_HINTS = frozenset(["editor", "journal", "proceedings", "publisher", "report", "thesis", "volume"])
_OPENING = frozenset("([{“„«『《")
_CLOSING = frozenset(")]}”»』》")
_PLAIN = str.maketrans(
    "，、،。．：；؛（）［］【】〔〕？؟！「」０１２３４５６７８９٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹",
    ",,,..:;;()[][][]??!“”" + 3 * "0123456789",
)
"""Punctuation marks and digits of other scripts, each as the one that does the same in ours."""


_NONE = 3  # 0 to 2 have a meaning of their own in a row (see `chain.hpp`), so counts begin at 3


@lru_cache(maxsize=65536)
def _hashed(text: str) -> int:
    return feature_value(text)


_DOUBLE = _hashed('"')


def _shape(text: str) -> str:  # noqa: PLR0911  # one for each kind
    if text[0].isdigit():
        if _YEAR.match(text):
            return "year"
        return f"{min(len(text), 6)}d"
    if not text[0].isalpha():
        return "link" if len(text) > 1 else text
    if len(text) == 1:
        return "X" if text.isupper() else "x"
    if text.isupper():
        return "XX" if len(text) == 2 else "XXX"
    if text[0].isupper():
        return "Xx" if text[1:].islower() else "XxX"
    return "x+" if text.islower() else "xX"


@lru_cache(maxsize=65536)
def _own(text: str) -> tuple[bytes, str, str]:
    """The hashed features of a token by itself, packed as bytes; its shape and its keyword."""
    low = text.lower()
    shape = _shape(text)
    word = low if not text.isdigit() else shape
    keyword = REFERENCE_WORDS.get(low, "")
    letters = text[0].isalpha()
    values = (
        word[:6] if letters and len(word) > 6 else "",
        shape if not (letters and _ROMAN.match(text) and len(text) > 1) else f"{shape} roman",
        word[-3:] if letters else "",
        word[-2:] if letters else "",
        word[:3] if letters else "",
        keyword,
        lexicon_class(low) if letters and text[0].isupper() else "",
    )
    hashes = [_hashed(word), *(_hashed(value) if value else 0 for value in values)]
    return np.array(hashes, np.uint64).tobytes(), shape, keyword


_BUCKETS = (0, 1, 2, 3, 4, 4, 6, 6, 6, 6, 10, 10, 10, 10, 10, 10, 16)


def _bucket(number: int) -> int:
    return _BUCKETS[min(number, 16)]


def _chunks(shapes: Sequence[str], tokens: Sequence[Token]) -> list[int]:
    """The index of each token's chunk; a punctuation mark belongs to the chunk that it ends."""
    index, indexes = 0, []
    for i, token in enumerate(tokens):
        indexes.append(index)
        text = token.text
        if text in _BREAKS and not (
            text == "." and (i == 0 or shapes[i - 1] in {"X", "XX"} or _abbreviated(tokens, i))
        ):
            index += 1
    return indexes


def _abbreviated(tokens: Sequence[Token], dot: int) -> bool:
    """Whether a dot ends an abbreviation: no space or no capital follows it."""
    if dot + 1 < len(tokens) and tokens[dot + 1].start == tokens[dot].end:
        return True
    return dot + 1 < len(tokens) and tokens[dot + 1].text[0].islower()


def feature_rows(tokens: Sequence[Token]) -> NDArray[np.uint64]:
    """The features of tokens: one row per token, one column per name in `FEATURES`."""
    tokens = [
        token if token[0].isascii() else Token(token.text.translate(_PLAIN), token.start, token.end)
        for token in tokens
    ]
    own = [_own(token.text) for token in tokens]
    shapes = [features[1] for features in own]
    keywords = [features[2] for features in own]
    chunks = _chunks(shapes, tokens)
    texts = [token.text for token in tokens]
    phrases = phrases_in(texts)
    string = (
        _hashed(" ".join(shapes[:3])),
        _style(texts, shapes, keywords),
        _genre(texts, keywords, chunks, phrases),
    )
    count = len(tokens)
    rows = np.empty((count, len(FEATURES)), np.uint64)
    rows[:, :8] = np.frombuffer(b"".join([features[0] for features in own]), np.uint64).reshape(
        count, 8
    )
    rows[:, 8:11] = list(_places(tokens))
    rows[:, 11:18] = _in_chunks(tokens, chunks, shapes, keywords)
    rows[:, 18:22] = list(_counts(tokens, shapes, chunks))
    rows[:, 22] = [_hashed(phrase) if phrase else 0 for phrase in phrases]
    rows[:, 23:] = string
    return rows


def _places(tokens: Sequence[Token]) -> Iterator[tuple[int, int, int]]:
    """Whether a token touches its neighbours, its twelfth of the string, what encloses it."""
    enclosed, count, end = 0, len(tokens), -1
    starts = [*(token.start for token in tokens[1:]), -1]
    for i, token in enumerate(tokens):
        text = token.text
        if text in _OPENING:
            enclosed = _hashed(text)
        elif text == '"':
            enclosed = 0 if enclosed == _DOUBLE else _DOUBLE
        yield (
            _NONE + 2 * (end == token.start) + (token.end == starts[i]),
            _NONE + 12 * i // count,
            enclosed,
        )
        end = token.end
        if text in _CLOSING:
            enclosed = 0


def _in_chunks(
    tokens: Sequence[Token], chunks: Sequence[int], shapes: Sequence[str], keywords: Sequence[str]
) -> NDArray[np.uint64]:
    """Features of a token's chunk: summary, those of its neighbours, place, style, openings."""
    bounds = [0, *(i for i in range(1, len(chunks)) if chunks[i] != chunks[i - 1]), len(chunks)]
    summarized = [_summary(tuple(shapes[a:b]), tuple(keywords[a:b])) for a, b in pairwise(bounds)]
    summaries = [1, *(summary for summary, _ in summarized), 2]
    count = len(summarized)
    openings = [
        _hashed(f"{tokens[a - 1].text if a else ''} {shapes[a]} {keywords[a]}") for a in bounds[:-1]
    ] + [2]
    chunk_rows = [
        (
            summaries[k + 1],
            summaries[k],
            summaries[k + 2],
            _NONE + 6 * min(k, 6) + min(count - k, 5),
            summarized[k][1],
            openings[k],
            openings[k + 1],
        )
        for k in range(count)
    ]
    told_of: NDArray[np.uint64] = np.array(chunk_rows, np.uint64)[chunks]
    return told_of


@lru_cache(maxsize=16384)  # most chunks are short, and alike in all strings
def _summary(shapes: tuple[str, ...], keywords: tuple[str, ...]) -> tuple[int, int]:
    """A chunk's summary (number of words, share of capitals, keywords) and its style."""
    words = [shape for shape in shapes if shape[0] in "Xxyd0123456789"]
    kinds = sorted({kind for kind in keywords if kind} - {"and", "in"})
    capitals = sum(shape[0] == "X" for shape in words)
    letters = sum(shape[0] in "Xx" for shape in words)
    share = 0 if not letters else 1 + (2 * capitals >= letters) + (capitals == letters)
    style = " ".join(shapes[:5]) if len(shapes) <= 12 else f"long {share}"
    return _hashed(f"{_bucket(len(words))} {share} {' '.join(kinds[:2])}"), _hashed(style)


def _counts(
    tokens: Sequence[Token], shapes: Sequence[str], chunks: Sequence[int]
) -> Iterator[tuple[int, int, int, int]]:
    """Counts up to each token: sentences, tokens of the sentence, years, other numbers."""
    all_years = shapes.count("year")
    sentence = inside = years = numbers = 0
    for i, token in enumerate(tokens):
        text = token.text
        if shapes[i] == "year":
            years += 1
        elif numbers < 5 and text[0].isdigit():
            numbers += 1
        yield (
            _NONE + sentence,
            _NONE + _BUCKETS[inside],
            _NONE + 2 * years + (all_years > years),
            _NONE + numbers,
        )
        inside = min(inside + 1, 16)
        ended = text in _ENDS and i + 1 < len(tokens) and chunks[i + 1] != chunks[i]
        if ended or text in _QUOTES:
            sentence = min(sentence + 1, 5)
            inside = 0


def _style(texts: Sequence[str], shapes: Sequence[str], keywords: Sequence[str]) -> int:
    """The style of the string: place of the year, quotation marks, label, editors."""
    if "year" in shapes:
        at = shapes.index("year")
        third = 3 * at // len(texts)
        braced = at > 0 and texts[at - 1] in "(["
        where = f"{third} {braced}"
    else:
        where = "none"
    quoted = not _QUOTES.isdisjoint(texts)
    numbered = shapes[0] if shapes[0][0] in "[(0123456789" else ""
    return _hashed(f"{where} {quoted} {numbered} {_edited(shapes, keywords)}")


def _edited(shapes: Sequence[str], keywords: Sequence[str]) -> bool:
    """Whether the first names are those of editors."""
    for shape, keyword in zip(shapes, keywords, strict=True):
        if keyword == "editor":
            return True
        if shape == "year" or (shape == "x+" and not keyword):
            break
    return False


def _genre(
    texts: Sequence[str], keywords: Sequence[str], chunks: Sequence[int], phrases: Sequence[str]
) -> int:
    """Words that hint at the kind of work: article, paper in a book, book, thesis, report."""
    hints = {kind for kind in keywords if kind in _HINTS}
    hints |= {phrase[2:] for phrase in phrases if phrase}
    # Most strings have neither; `in` finds that out quicker than a loop.
    if "in" in keywords and any(
        keywords[i] == "in" and chunks[i] != chunks[i - 1] for i in range(1, len(texts))
    ):
        hints.add("in")
    if "(" in texts and any(
        texts[i] == "(" and texts[i - 1].isdigit() and texts[i + 1].isdigit()
        and len(texts[i + 1]) < 4
        for i in range(1, len(texts) - 1)
    ):  # fmt: skip
        hints.add("volume")
    return _hashed(" ".join(sorted(hints)))


_at = partial(templates_at, FEATURES)
_both = partial(template, FEATURES)

TEMPLATES: list[list[tuple[int, int]]] = [
    *_at("word", -3, -2, -1, 0, 1, 2, 3),
    _both(("word", -1), ("word", 0)),
    _both(("word", 0), ("word", 1)),
    _both(("word", -2), ("word", -1)),
    _both(("word", 1), ("word", 2)),
    *_at("stem", 0, -1, 1),
    *_at("shape", -3, -2, -1, 0, 1, 2, 3),
    _both(("shape", -1), ("shape", 0)),
    _both(("shape", 0), ("shape", 1)),
    _both(("shape", -1), ("shape", 0), ("shape", 1)),
    _both(("shape", -2), ("shape", -1), ("shape", 0)),
    _both(("shape", 0), ("shape", 1), ("shape", 2)),
    _both(("shape", -2), ("shape", -1), ("shape", 0), ("shape", 1), ("shape", 2)),
    _both(("shape", 0), ("shape", 1), ("shape", 2), ("shape", 3), ("shape", 4)),
    *_at("ending", -1, 0, 1),
    *_at("short ending", 0),
    *_at("beginning", 0),
    *_at("keyword", -4, -3, -2, -1, 0, 1, 2, 3, 4),
    *_at("lexicon", -1, 0, 1),
    _both(("lexicon", 0), ("lexicon", 1)),
    _both(("gap", 0), ("shape", 0)),
    *_at("place", 0),
    _both(("place", 0), ("shape", 0)),
    _both(("enclosed", 0), ("shape", 0)),
    *_at("enclosed", 0),
    *_at("chunk", 0),
    *_at("chunk before", 0),
    *_at("chunk after", 0),
    _both(("chunk", 0), ("chunk before", 0)),
    _both(("chunk", 0), ("chunk after", 0)),
    *_at("chunk place", 0),
    *_at("chunk style", 0),
    _both(("chunk", 0), ("chunk place", 0)),
    *_at("chunk opening", 0),
    *_at("opening after", 0),
    _both(("chunk opening", 0), ("opening after", 0)),
    _both(("chunk opening", 0), ("chunk", 0)),
    _both(("sentence", 0), ("sentence place", 0)),
    _both(("sentence", 0), ("shape", 0)),
    _both(("sentence", 0), ("layout", 0)),
    _both(("years", 0), ("shape", 0)),
    _both(("years", 0), ("layout", 0)),
    _both(("numbers", 0), ("shape", 0), ("years", 0)),
    _both(("layout", 0), ("place", 0)),
    _both(("opening", 0), ("place", 0)),
    *_at("phrase", -2, -1, 0, 1, 2),
    _both(("phrase", 0), ("chunk place", 0)),
    _both(("phrase", 0), ("shape", 0)),
    _both(("genre", 0), ("chunk place", 0)),
    _both(("genre", 0), ("chunk", 0)),
    _both(("genre", 0), ("years", 0)),
]
