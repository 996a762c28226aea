"""The dictionary that results are compressed with: `python -m training.dictionary`."""

import json
from hashlib import sha256
from pathlib import Path

import zstandard

from rowen.papers.paper import read_closely
from rowen.service.stages import paper_stages
from rowen.storage.documents.packing import DICTIONARY, LEVEL
from training.data import SHARED

_BYTES = 112_640
"""What zstd's own program takes; twice as much saves 1.5% more."""


def representations(path: Path) -> dict[str, bytes]:
    """All that the service gives of a paper, by stage and form."""
    data = path.read_bytes()
    stages = paper_stages(read_closely(data).paper, digest=sha256(data).hexdigest())
    return {
        f"{stage}.{form}": content
        for stage, forms in stages.items()
        for form, content in forms.items()
    }


def main() -> None:
    """Train on papers that may be copied, as parts of them are; show the others' ratios."""
    learned: list[bytes | bytearray | memoryview[int]] = []
    others: list[dict[str, bytes]] = []
    for path in sorted((SHARED / "pdf").glob("*/*.pdf")):
        gold = json.loads((SHARED / "pdf" / "gold" / f"{path.stem}.json").read_text())
        if gold["licence"] == "CC-BY":
            learned += representations(path).values()
        else:
            others.append(representations(path))
    trained = zstandard.train_dictionary(_BYTES, learned)
    target = Path(__file__).parents[1] / "src" / "rowen" / "storage" / "documents" / DICTIONARY
    target.write_bytes(trained.as_bytes())
    plain = zstandard.ZstdCompressor(level=LEVEL)
    packed = zstandard.ZstdCompressor(level=LEVEL, dict_data=trained)
    for name in others[0]:
        size = sum(len(stages[name]) for stages in others)
        ratios = [
            size / sum(len(way.compress(stages[name])) for stages in others)
            for way in (plain, packed)
        ]
        print(f"{name:18} {size // len(others):8,} bytes, {ratios[0]:5.2f} -> {ratios[1]:5.2f}")


if __name__ == "__main__":
    main()
