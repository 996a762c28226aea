"""The command line of a benchmark that has parts."""

import argparse
from collections.abc import Sequence


def parser(name: str, about: str | None, parts: Sequence[str]) -> argparse.ArgumentParser:
    """Reads which parts to run, as `part`: all where none is named."""

    def known(part: str) -> str:
        if part not in parts:
            raise argparse.ArgumentTypeError(f"{part!r} is none of {', '.join(parts)}")
        return part

    made = argparse.ArgumentParser(prog=f"python -m {name}", description=about)
    # Python 3.11's `choices` refuse the default of no parts at all.
    told = f"one of {', '.join(parts)}"
    made.add_argument("part", nargs="*", type=known, default=parts, metavar="PART", help=told)
    return made
