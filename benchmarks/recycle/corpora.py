"""The shared corpora that change, a folder a snapshot."""

import tarfile
import tempfile
from functools import cache
from pathlib import Path

from benchmarks.shared import DATA

CORPORA = ("k8s", "ota_html")


def there() -> bool:
    """Whether the shared data is at hand."""
    return all(_archive(corpus).exists() for corpus in CORPORA)


@cache
def workspace() -> Path:
    """A folder for corpora and stores that goes with this process."""
    _FOLDERS.append(tempfile.TemporaryDirectory())
    return Path(_FOLDERS[-1].name)


_FOLDERS: list["tempfile.TemporaryDirectory[str]"] = []


@cache
def snapshots(corpus: str) -> tuple[Path, ...]:
    """The snapshots of a corpus, in order of time."""
    folder = workspace() / corpus
    with tarfile.open(_archive(corpus)) as tar:
        tar.extractall(folder, filter="data")
    return tuple(sorted(one for one in folder.iterdir() if one.is_dir()))


def _archive(corpus: str) -> Path:
    return DATA / "evolving" / f"{corpus}.tar.xz"
