"""The shared data that models are trained on."""

import hashlib
import json
import lzma
import os
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

SHARED = (
    Path(os.environ.get("ROWEN_SHARED", Path(__file__).parents[2] / "shared")) / "data" / "scholar"
)


def rows(name: str) -> Iterator[dict[str, Any]]:
    """The objects of a packed file of JSON lines."""
    with lzma.open(SHARED / name, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def scorer(name: str) -> Any:
    """One of the shared scorers, as a module."""
    if str(SHARED) not in sys.path:
        sys.path.insert(0, str(SHARED))
    return import_module(name)


def digest_of(path: Path) -> str:
    """The digest of a file, or of all files of a folder, for the record."""
    digest = hashlib.sha256()
    for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
        if file.is_file():
            digest.update(file.read_bytes())
    return digest.hexdigest()[:16]
