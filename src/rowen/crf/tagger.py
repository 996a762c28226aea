"""Linear-chain CRF: labels for the rows of a sequence by trained weights.

A linear-chain conditional random field (Lafferty, McCallum and Pereira, ICML 2001) scores the
labels of a whole sequence: each row's features have weights for its label, and each pair of
neighbouring labels has a transition weight. Viterbi's algorithm finds the highest sum:

    row's weights    Smith    J.   Webs        transitions    to author   to title
    author             2      1      0         from author        1           0
    title              0      0      2         from title        -9           1

    best sums        Smith    J.   Webs
    author             2      4      5         J.:   1 + max(2 + 1, 0 - 9)
    title              0      2      6         Webs: 2 + max(4 + 0, 2 + 1), from author

    back from the best last label, title:      author, author, title

A row is a token or a line. It has a number for the value of each feature, 0 where it has none. A
template combines the values of one or more features, of this row or of rows near by. The values are
hashed to a key, and the model holds weights by key. Names of features are only names: the model
knows features by their index, and values by their hash (`rowen._core.feature_value`). Reordering
features or changing how a value is written makes trained models useless.
"""

import json
import os
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rowen._core import LinearChainCRF
from rowen.model.errors import InputError

Templates = Sequence[Sequence[tuple[int, int]]]
"""Each template is a list of (index of a feature, offset of the row from this one)."""


def template(features: Sequence[str], *parts: tuple[str, int]) -> list[tuple[int, int]]:
    """A template of one or more features, each with the offset of its row: 0 is this row, -1 the
    row before it, 1 the row after it.
    """
    return [(features.index(name), offset) for name, offset in parts]


def templates_at(features: Sequence[str], name: str, *offsets: int) -> list[list[tuple[int, int]]]:
    """Templates of one feature, one for each offset."""
    return [template(features, (name, offset)) for offset in offsets]


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """A trained linear-chain CRF and the names of its labels."""

    labels: tuple[str, ...]
    crf: LinearChainCRF
    record: dict[str, Any]
    """How it was trained: digests of the data, algorithm and settings."""

    def label(self, rows: NDArray[np.uint64]) -> list[str]:
        """The labels with the highest score for a sequence of rows (Viterbi)."""
        return [self.labels[index] for index in self.crf.label(rows).tolist()]

    def label_surely(self, rows: NDArray[np.uint64]) -> tuple[list[str], list[float]]:
        """The same labels, and how probable each is (forward-backward); `B-x` and `I-x` are one."""
        labels, probabilities = self.crf.label_surely(rows, _groups(self.labels))
        return [self.labels[index] for index in labels.tolist()], probabilities.tolist()


@cache  # of the few models that there are
def _groups(labels: tuple[str, ...]) -> NDArray[np.uint8]:
    """A number for each label, the same for those that differ in their beginning only."""
    kinds = [label.rpartition("-")[2] for label in labels]
    numbers = {kind: number for number, kind in enumerate(dict.fromkeys(kinds))}
    return np.array([numbers[kind] for kind in kinds], np.uint8)


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights of a CRF. Key i has `weights[starts[i]:starts[i + 1]]` for the labels there."""

    keys: NDArray[np.uint64]
    starts: NDArray[np.uint32]
    labels: NDArray[np.uint8]
    weights: NDArray[np.float32]
    transitions: NDArray[np.float32]
    """From label (row) to label (column)."""


def pack_model(
    labels: Sequence[str], templates: Templates, weights: Weights, record: dict[str, Any]
) -> bytes:
    """A model as a file: a zip archive, the same bytes for the same model."""
    parts = {
        "model.json": json.dumps(
            {"rowen": 1, "labels": list(labels), "templates": templates, "record": record}, indent=1
        ).encode(),
        "keys": weights.keys.astype("<u8").tobytes(),
        # A key has at most 256 labels: a count takes one byte, a start would take four.
        "counts": np.diff(weights.starts).astype(np.uint8).tobytes(),
        "labels": weights.labels.tobytes(),
        "weights": weights.weights.astype("<f2").tobytes(),
        "transitions": weights.transitions.astype("<f4").tobytes(),
    }
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            # ZipInfo has a fixed date, so that equal models are equal files.
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def unpack_model(packed: bytes) -> Model:
    """The model of a file that `pack_model` wrote."""
    head, weights = unpack_weights(packed)
    crf = LinearChainCRF(
        [[(feature, offset) for feature, offset in parts] for parts in head["templates"]],
        weights.keys,
        weights.starts,
        weights.labels,
        weights.weights,
        weights.transitions,
    )
    return Model(tuple(head["labels"]), crf, head["record"])


def unpack_weights(packed: bytes) -> tuple[dict[str, Any], Weights]:
    """The head of a file that `pack_model` wrote (labels, templates, record), and its weights."""
    with zipfile.ZipFile(BytesIO(packed)) as archive:
        head = json.loads(archive.read("model.json"))
        count = len(head["labels"])
        counts = np.frombuffer(archive.read("counts"), np.uint8)
        weights = Weights(
            np.frombuffer(archive.read("keys"), "<u8").astype(np.uint64),
            np.concatenate(([0], np.cumsum(counts))).astype(np.uint32),
            np.frombuffer(archive.read("labels"), np.uint8),
            np.frombuffer(archive.read("weights"), "<f2").astype(np.float32),
            np.frombuffer(archive.read("transitions"), "<f4")
            .astype(np.float32)
            .reshape(count, count),
        )
    return head, weights


OTHER_CITATIONS_MODEL = "ROWEN_CITATIONS_MODEL"
"""The variable that names a file to use in place of the package's model of citations."""


def model_file(name: str) -> bytes:
    """The file of a model of the package, or of the one that stands in for it."""
    other = os.environ.get(OTHER_CITATIONS_MODEL)
    if name == "citations" and other:
        try:
            return Path(other).read_bytes()
        except OSError as error:
            raise InputError(f"{OTHER_CITATIONS_MODEL}: {other}: {error.strerror}") from error
    return files("rowen.crf.models").joinpath(f"{name}.model").read_bytes()


@cache
def load_model(name: str) -> Model:
    """A model of the package: `zones`, `people` or `citations`."""
    return unpack_model(model_file(name))


def open_model(path: str | Path, *, templates: Templates, form: int) -> Model:
    """A model from a file; InputError if it is none, or its features are not those of now."""
    try:
        head, _ = unpack_weights(packed := Path(path).read_bytes())
        model = unpack_model(packed)
        same = head["templates"] == [[list(part) for part in parts] for parts in templates]
        same = same and model.record.get("features") == form
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from error
    except (zipfile.BadZipFile, ValueError, TypeError, LookupError, zlib.error) as error:
        raise InputError(f"{path}: not a model of Rowen") from error
    if not same:
        raise InputError(f"{path}: trained for another version of Rowen; train it again")
    return model
