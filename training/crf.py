"""Small linear chains from labelled rows: crfsuite finds the weights, most of which are 0.

Zones and people are trained in this way. Citations have many more features: `rowen.crf.training`
finds their weights.
"""

import tempfile
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pycrfsuite
from numpy.typing import NDArray

from rowen._core import feature_keys
from rowen.crf.tagger import Templates, Weights, pack_model
from rowen.crf.training import NEVER

LEAST = 1e-3  # weights that are smaller are left out


def train(
    sequences: Iterable[tuple[NDArray[np.uint64], Sequence[str]]],
    templates: Templates,
    *,
    iterations: int,
    c1: float,
    c2: float,
    seen: int,
    record: dict[str, Any],
) -> bytes:
    """A model file; features seen less often than `seen` are left out, c1 makes most weights 0."""
    settings = {"c1": c1, "c2": c2, "max_iterations": iterations, "feature.minfreq": seen}
    trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
    trainer.set_params(settings)
    for rows, labels in sequences:
        keys = feature_keys(templates, rows).reshape(len(rows), len(templates))
        trainer.append([[f"{key:x}" for key in row if key] for row in keys.tolist()], list(labels))
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder, "crf"))
        trainer.train(path)
        tagger = pycrfsuite.Tagger()
        tagger.open(path)
        info = tagger.info()
        labels = sorted(tagger.labels())
        tagger.close()
    full_record = {**record, "algorithm": "lbfgs", "settings": settings, "least": LEAST}
    return pack_model(labels, templates, _weights(info, labels), full_record)


def _weights(info: Any, labels: Sequence[str]) -> Weights:
    index = {label: i for i, label in enumerate(labels)}
    by_key: defaultdict[int, list[tuple[int, float]]] = defaultdict(list)
    for (feature, label), weight in info.state_features.items():
        if abs(weight) > LEAST:
            by_key[int(feature, 16)].append((index[label], weight))
    keys = sorted(by_key)
    transitions = np.full((len(labels), len(labels)), NEVER, np.float32)
    for (before, after), weight in info.transitions.items():
        transitions[index[before], index[after]] = weight
    pairs = [pair for key in keys for pair in sorted(by_key[key])]
    return Weights(
        np.array(keys, np.uint64),
        np.concatenate(([0], np.cumsum([len(by_key[key]) for key in keys]))).astype(np.uint32),
        np.array([label for label, _ in pairs], np.uint8),
        np.array([weight for _, weight in pairs], np.float32),
        transitions,
    )
