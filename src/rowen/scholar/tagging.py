"""Trained models: labels for sequences of rows."""

import json
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from io import BytesIO
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rowen._core import Chain

Templates = Sequence[Sequence[tuple[int, int]]]
"""Features of a row: each a set of (column, rows further on)."""


def together(columns: Sequence[str], *parts: tuple[str, int]) -> list[tuple[int, int]]:
    """A template of several columns: of this row (0), the one before it (-1), the one after (1)."""
    return [(columns.index(name), offset) for name, offset in parts]


def singly(columns: Sequence[str], name: str, *offsets: int) -> list[list[tuple[int, int]]]:
    """A template for each of some rows near by, all of one column."""
    return [together(columns, (name, offset)) for offset in offsets]


@dataclass(frozen=True, slots=True)
class Model:
    """A linear chain over the rows that one part of the package makes."""

    labels: tuple[str, ...]
    chain: Chain
    record: dict[str, Any]
    """How it was trained: on what, with which scores."""

    def label(self, rows: NDArray[np.uint64]) -> list[str]:
        """The likeliest labels of a sequence."""
        return [self.labels[index] for index in self.chain.label(rows).tolist()]


@dataclass(frozen=True, slots=True)
class Weights:
    """What a model has learned: for each feature's key what it says for which labels."""

    keys: NDArray[np.uint64]
    starts: NDArray[np.uint32]
    labels: NDArray[np.uint8]
    weights: NDArray[np.float32]
    transitions: NDArray[np.float32]


def pack(
    labels: Sequence[str], templates: Templates, weights: Weights, record: dict[str, Any]
) -> bytes:
    """A model as a file: a zip archive, the same bytes for the same model."""
    parts = {
        "model.json": json.dumps(
            {"rowen": 1, "labels": list(labels), "templates": templates, "record": record}, indent=1
        ).encode(),
        "keys": weights.keys.astype("<u8").tobytes(),
        "counts": np.diff(weights.starts).astype(np.uint8).tobytes(),
        "labels": weights.labels.tobytes(),
        "weights": weights.weights.astype("<f2").tobytes(),
        "transitions": weights.transitions.astype("<f4").tobytes(),
    }
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def unpack(packed: bytes) -> Model:
    """The model of a file that `pack` wrote."""
    with zipfile.ZipFile(BytesIO(packed)) as archive:
        head = json.loads(archive.read("model.json"))
        counts = np.frombuffer(archive.read("counts"), np.uint8)
        labels = tuple(head["labels"])
        chain = Chain(
            [[(column, offset) for column, offset in parts] for parts in head["templates"]],
            np.frombuffer(archive.read("keys"), "<u8").astype(np.uint64),
            np.concatenate(([0], np.cumsum(counts))).astype(np.uint32),
            np.frombuffer(archive.read("labels"), np.uint8),
            np.frombuffer(archive.read("weights"), "<f2").astype(np.float32),
            np.frombuffer(archive.read("transitions"), "<f4")
            .astype(np.float32)
            .reshape(len(labels), len(labels)),
        )
    return Model(labels, chain, head["record"])


@cache
def shipped(name: str) -> Model:
    """A model of the package, by name."""
    return unpack(files("rowen.scholar.models").joinpath(f"{name}.model").read_bytes())
