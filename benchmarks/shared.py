"""Real pages from the data that is kept beside the repository, where it is there."""

import os
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path

SHARED = Path(os.environ.get("ROWEN_SHARED", Path(__file__).resolve().parents[2] / "shared"))
DATA = SHARED / "data"
if not DATA.is_dir():
    print(
        f"{DATA} is not there: what needs it is left out. ROWEN_SHARED is where it is.",
        file=sys.stderr,
    )


def pages(archive: str, *, every: int = 1) -> list[str]:
    """Each n-th HTML page of an archive as it stands; none where the data is not there."""
    path = DATA / archive
    if not path.exists():
        return []
    texts = []
    with tarfile.open(path) as tar:
        for number, member in enumerate(one for one in tar if one.name.endswith(".html")):
            if number % every == 0 and (file := tar.extractfile(member)) is not None:
                texts.append(file.read().decode("utf-8", "replace"))
    return texts


def snapshots(corpus: str) -> Iterator[dict[str, str]]:
    """The pages of a changing corpus by their names, one snapshot after the other."""
    path = DATA / "evolving" / f"{corpus}.tar.xz"
    if not path.exists():
        return
    found: dict[str, dict[str, str]] = {}
    with tarfile.open(path) as tar:
        for member in tar:
            if (file := tar.extractfile(member)) is not None:
                snapshot, _, name = member.name.removeprefix("./").partition("/")
                text = file.read().decode("utf-8", "replace")
                found.setdefault(snapshot, {})[name] = text
    for _, texts in sorted(found.items()):
        yield texts
