"""Adapting the model of citations to annotated references of another style.

A file of annotated references has one JSON object per line, in one of two forms:

    {"raw": "Smith, A. On wrappers. J. Webs 3", "fields": {"author": "Smith, A.", "title": ...}}
    {"raw": ..., "spans": [[0, 9], [10, 21]], "labels": ["author", "title"]}

Values of `fields` are found in `raw`; a list has several places. Training starts from the model of
the package and is pulled towards it, so that a few hundred references suffice, and what they do not
show stays as it was. One document in five, or one reference in five, is held out: it decides when
to stop, and scores the model before and after.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rowen.citations.citation import FIELDS
from rowen.citations.features import FEATURES_FORM, TEMPLATES, feature_rows
from rowen.citations.parser import REFERENCE_CHARACTERS, parse_citation
from rowen.citations.tokens import Token, tokens_of
from rowen.crf.tagger import Model, load_model, model_file, unpack_model, unpack_weights
from rowen.crf.training import Report, Settings, fit, packed
from rowen.model.errors import InputError

ADAPTED = Settings(rate=0.005, c2=0.5, seen=1, passes=30, patience=4, least=0.0, seed=7)
"""How a model is adapted: more passes than at first, as there are few references."""

FEWEST_REFERENCES = 20
"""Limit: annotated references that training needs at least; with fewer, scores mean nothing."""

ANNOTATED_REFERENCES = 200_000
"""Limit: annotated references of a file; more would take hours and gigabytes."""

_HELD_OUT = 5
_LABELS = frozenset({*FIELDS, "label", "other", "O"})


@dataclass(frozen=True, slots=True)
class Annotated:
    """A reference string with the spans of its fields."""

    raw: str
    spans: tuple[tuple[int, int], ...]
    labels: tuple[str, ...]
    document: str


@dataclass(frozen=True, slots=True)
class Adapted:
    """A model that was adapted, and how it does on references that were held out."""

    model: bytes
    learned: int
    held_out: int
    before: float
    """F1 of fields of the model of the package."""
    after: float
    by_field: dict[str, tuple[int, float, float]]
    """For each field how often it occurs, and its F1 before and after."""


def labels_on(row: Annotated, tokens: Sequence[Token]) -> list[str]:
    """A row's labels on tokens: B- where a field begins, I- inside it, O outside of all."""
    at = {
        place: label
        for (start, end), label in zip(row.spans, row.labels, strict=True)
        for place in range(start, end)
    }
    labels, before = [], "O"
    for token in tokens:
        places = range(token.start, token.end)  # scripts without spaces: `载李四主编` is one token
        label = next((at[place] for place in places if at.get(place, "O") != "O"), "O")
        labels.append("O" if label == "O" else f"{'I' if label == before else 'B'}-{label}")
        before = before if label == "O" else label
    return labels


def sequence_of(row: Annotated) -> tuple[NDArray[np.uint64], list[str]]:
    """The features and labels of a string's tokens."""
    tokens = tokens_of(row.raw[:REFERENCE_CHARACTERS])
    return feature_rows(tokens), labels_on(row, tokens)


def read_annotated(path: Path) -> list[Annotated]:
    """The annotated references of a file; InputError for the first line that is none."""
    try:
        lines = path.read_text("utf-8-sig").splitlines()
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError:
        raise InputError(f"{path}: the file is not UTF-8") from None
    if len(lines) > ANNOTATED_REFERENCES:
        raise InputError(
            f"{path}: {len(lines):,} references; at most {ANNOTATED_REFERENCES:,} are read"
        )
    return [
        _annotated(line, f"{path}: line {number}")
        for number, line in enumerate(lines, start=1)
        if line.strip()
    ]


def _annotated(line: str, place: str) -> Annotated:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        raise InputError(f"{place}: not JSON") from None
    if not isinstance(row, dict) or not isinstance(row.get("raw"), str) or not row["raw"].strip():
        raise InputError(f"{place}: an object with 'raw', the reference string, is needed")
    raw = row["raw"]
    document = str(row.get("doc", ""))
    if "spans" in row or "labels" in row:
        spans, labels = _checked_spans(row, place)
        return Annotated(raw, spans, labels, document)
    fields = row.get("fields")
    if not isinstance(fields, dict):
        raise InputError(f"{place}: 'fields', or 'spans' with 'labels', are needed")
    located = [
        (span, name)
        for name, value in fields.items()
        for text in (value if isinstance(value, list) else [value])
        for span in _located(raw, name, text, place)
    ]
    located.sort()
    return Annotated(
        raw, tuple(span for span, _ in located), tuple(name for _, name in located), document
    )


def _checked_spans(
    row: dict[str, Any], place: str
) -> tuple[tuple[tuple[int, int], ...], tuple[str, ...]]:
    spans, labels = row.get("spans"), row.get("labels")
    if not isinstance(spans, list) or not isinstance(labels, list) or len(spans) != len(labels):
        raise InputError(f"{place}: 'spans' and 'labels' must be lists of the same length")
    checked = []
    for span, label in zip(spans, labels, strict=True):
        _check_name(label, place)
        whole = isinstance(span, list) and len(span) == 2 and {type(at) for at in span} == {int}
        if not whole or not 0 <= span[0] <= span[1] <= len(row["raw"]):
            raise InputError(f"{place}: {span} is not a span of 'raw': [start, end] is")
        checked.append((span[0], span[1]))
    return tuple(checked), tuple(labels)


def _check_name(name: object, place: str) -> None:
    if name not in _LABELS:
        raise InputError(f"{place}: unknown field {name!r}; the fields are {', '.join(FIELDS)}")


def _located(raw: str, name: object, text: object, place: str) -> Iterator[tuple[int, int]]:
    """Where a field's text is in the string; white space may differ."""
    _check_name(name, place)
    if text is None or text == "":
        return
    if not isinstance(text, str):
        raise InputError(f"{place}: the value of {name!r} must be a text or a list of texts")
    words = r"\s+".join(map(re.escape, text.split()))
    match = re.search(rf"(?<!\w){words}(?!\w)", raw) or re.search(words, raw)
    if match is None:
        raise InputError(f"{place}: the {name} {text!r} was not found in 'raw'")
    yield match.span()


def adapt(
    rows: Sequence[Annotated],
    *,
    report: Report | None = None,
) -> Adapted:
    """Adapt the model of the package to annotated references.

    InputError if there are too few. `report` gets each pass over the references, and its mean loss
    on those that were held out.
    """
    if len(rows) < FEWEST_REFERENCES:
        raise InputError(
            f"{len(rows):,} annotated references; at least {FEWEST_REFERENCES} are needed"
        )
    learned, held = _divided(rows)
    shipped = load_model("citations")
    known = set(shipped.labels)
    usable = [
        (features, labels)
        for features, labels in map(sequence_of, learned)
        if len(labels) and known.issuperset(labels)
    ]
    _, prior = unpack_weights(model_file("citations"))
    labels, weights = fit(
        usable, map(sequence_of, held), TEMPLATES,
        settings=ADAPTED, prior=(shipped.labels, prior), report=report,
    )  # fmt: skip
    record = {
        "features": FEATURES_FORM,
        "adapted from": shipped.record,
        "references": len(usable),
        "calibration": shipped.record.get("calibration", {}),
    }
    file = packed(labels, TEMPLATES, weights, settings=ADAPTED, record=record)
    return _scored(file, shipped, held, len(usable))


def _divided(rows: Sequence[Annotated]) -> tuple[list[Annotated], list[Annotated]]:
    """What to learn from, and what to hold out: whole documents, where these are named."""
    documents = {row.document for row in rows}
    by_document = len(documents) >= _HELD_OUT
    ordered = sorted(
        {row.document if by_document else row.raw for row in rows},
        key=lambda key: sha256(key.encode("utf-8", "surrogatepass")).digest(),
    )
    out = set(ordered[: max(1, len(ordered) // _HELD_OUT)])
    held = [row for row in rows if (row.document if by_document else row.raw) in out]
    return [row for row in rows if (row.document if by_document else row.raw) not in out], held


def _scored(file: bytes, shipped: Model, held: Sequence[Annotated], learned: int) -> Adapted:
    counts = [_counts(model, held) for model in (shipped, unpack_model(file))]
    totals = [tuple(map(sum, zip(*count.values(), strict=True))) for count in counts]
    by_field = {
        name: (right + missing, _f1(counts[0][name]), _f1(counts[1][name]))
        for name in FIELDS
        for right, _, missing in [counts[1][name]]
        if right + missing
    }
    return Adapted(file, learned, len(held), _f1(totals[0]), _f1(totals[1]), by_field)


def _counts(model: Model, held: Sequence[Annotated]) -> dict[str, tuple[int, int, int]]:
    """For each field how many are right, extra and missing; case and punctuation don't count."""
    counts = {name: [0, 0, 0] for name in FIELDS}
    for row in held:
        spans = parse_citation(row.raw, model).spans
        for name in FIELDS:
            gold = _plain(row.raw, [
                span for span, label in zip(row.spans, row.labels, strict=True) if label == name
            ])  # fmt: skip
            parsed = _plain(row.raw, spans.get(name, []))
            if gold and gold == parsed:
                counts[name][0] += 1
            else:
                counts[name][1] += bool(parsed)
                counts[name][2] += bool(gold)
    return {name: (right, extra, missing) for name, (right, extra, missing) in counts.items()}


def _plain(raw: str, spans: Sequence[tuple[int, int]]) -> str:
    text = "".join(raw[start:end] for start, end in spans)
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def _f1(counts: Sequence[int]) -> float:
    right, extra, missing = counts
    return 2 * right / (2 * right + extra + missing) if right else 0.0
