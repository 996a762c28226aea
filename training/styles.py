"""Scores of reference strings from sources that were held out: `python -m training.styles`.

What journals of the same house print is in every part of a source; a style that was never seen is
best stood in for by a whole source. All that are small are held out at once, so that one training
suffices; names of journals and publishers (`phrases.tsv`) are those of all sources.
"""

import argparse

from benchmarks.papers import field_scores

from rowen.crf.tagger import unpack_model
from training.citations import DEV, FILES, trained
from training.data import rows

HELD_OUT = ("anystyle_core", "anystyle_gold", "citeseerx", "humanities", "iconip")


def main() -> None:
    """Train without the sources and print how it does on each."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    held = [row for file in (*FILES, DEV) for row in rows(file) if row["source"] in HELD_OUT]
    model = unpack_model(trained(FILES, without=frozenset(row["doc"] for row in held)))
    for source, count, score, whole in field_scores(held, model=model):
        print(f"{source}: {count} strings, F1 {score:.3f}, {whole:.3f} of them all right")


if __name__ == "__main__":
    main()
