"""What localities are derived for a list of patterns, and how long that takes.

    python -m benchmarks.localities [FILE]

FILE has a pattern per line; without it, the tests' collection is taken, and the patterns in the
sources of all Python packages on this machine.
"""

import sys
import time
import warnings
from collections import Counter
from pathlib import Path

from rowen import Pattern
from rowen.extractors.locality import Either, Grain, Segments, Window

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "shared"))


def main() -> None:
    """Print how many patterns derive what."""
    from harvest import collected, harvested, with_a_field  # type: ignore[import-not-found]

    if len(sys.argv) > 1:
        lines = Path(sys.argv[1]).read_text("utf-8").split("\n")
        named = [one for line in lines if line and (one := with_a_field(line))]
        report(sys.argv[1], named)
        return
    report("collection", collected())
    report("packages", harvested(everything=True))


def report(title: str, patterns: list[str]) -> None:
    """Derive the locality of each and count the kinds."""
    kinds: Counter[str] = Counter()
    seconds = []
    for pattern in patterns:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            extractor = Pattern(pattern)
        begin = time.process_time()
        grain = extractor.grain
        seconds.append(time.process_time() - begin)
        kinds[kind_of(grain)] += 1
    seconds.sort()
    print(f"{title}: {len(patterns)} patterns")
    for kind, count in kinds.most_common():
        print(f"  {kind:20} {count:6}  {count / len(patterns):6.1%}")
    print(
        f"  derived in {1e3 * seconds[len(seconds) // 2]:.2f} ms (median), "
        f"{1e3 * seconds[-1]:.0f} ms (longest)"
    )


def kind_of(grain: Grain) -> str:
    """What reuse goes by, in words."""
    match grain:
        case Either():
            return "segments or window"
        case Segments():
            return "segments"
        case Window():
            return "window"
        case _:
            return "whole page"


if __name__ == "__main__":
    main()
