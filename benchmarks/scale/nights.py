"""Made-up pages of 2 KB in lines of JSON, and nights on which some of them are edited."""

import json
import random
from pathlib import Path

EDITED = 0.03
"""The share of pages that a night edits."""


def write_nights(folder: Path, pages: int, nights: int) -> list[Path]:
    """A file for each night. A page is made anew from its number, so that none is in memory."""
    chance = random.Random(3)
    words = ["".join(chance.choices("abcdefghij", k=chance.randint(3, 9))) for _ in range(500)]
    edits = [random.Random(night) for night in range(nights)]
    paths = [folder / f"night{night}.jsonl" for night in range(nights)]
    files = [path.open("w") for path in paths]
    for number in range(pages):
        own = random.Random(number)
        before, after = " ".join(own.choices(words, k=150)), " ".join(own.choices(words, k=150))
        hour = 1
        for file, chosen in zip(files, edits, strict=True):
            hour += chosen.random() < EDITED
            text = f"{before}\nCS {100 + number % 900}, {hour} pm\n{after}\n"
            page = {"id": f"https://example.org/pages/{number}.html", "text": text}
            file.write(json.dumps(page) + "\n")
    for file in files:
        file.close()
    return paths
