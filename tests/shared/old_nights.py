"""The nights of the stores that are kept here, and how such a store is written.

`format-2.zip` was written by Rowen before stores had differences (0.2.0 of 2026-11-18, 190dcbc):

    python tests/shared/old_nights.py tests/storage/stores/format-2.zip
"""

import sys
import tempfile
import zipfile
from pathlib import Path

import rowen

ROOMS = rowen.Pattern(r"(?P<room>CS \d{3})", name="rooms")
LINES = [f"CS {100 + number} is a room of the house {number}\n" for number in range(20)]
FIRST = {f"p{number}": "".join(LINES[number:]) for number in range(6)}
NIGHTS = [
    FIRST,
    {**FIRST, "p1": FIRST["p1"].replace("CS 110", "CS 910"), "new": "CS 555 and \ud800"},
    {key: text for key, text in FIRST.items() if key != "p2"},
]


def main() -> None:
    """Write the store that a zip file holds."""
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(sys.argv[1], "w") as archive:
        for night in NIGHTS:
            rowen.Store(folder).run([ROOMS], night, jobs=2)
        for file in sorted(Path(folder).rglob("*")):
            archive.write(file, file.relative_to(folder), zipfile.ZIP_DEFLATED)


if __name__ == "__main__":
    main()
