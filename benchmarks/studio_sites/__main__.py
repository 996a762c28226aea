"""Play a new user on the shared sites, and print how it went."""

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.studio_sites import service
from benchmarks.studio_sites.cases import SITES, Case, cases
from benchmarks.studio_sites.scores import Played, table_of
from benchmarks.wrappers.sites import there

ROUNDS = (("details", 1), ("lists", 1), ("lists", 2))
"""Each set with the number of records that are marked on its first page."""


@contextmanager
def _server() -> Iterator[str]:
    sys.path.append(str(Path(__file__).parents[2] / "tests" / "shared"))
    with TemporaryDirectory() as folder:
        server = import_module("serving").Server(Path(folder) / "data")
        try:
            yield server.url
        finally:
            server.end()


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.studio_sites", description=__doc__)
    parser.add_argument("--sites", type=int, default=SITES, help="how many sites of each set")
    parser.add_argument("--set", choices=("details", "lists"), help="only this set")
    parser.add_argument("--records", type=int, choices=(1, 2), help="only so many marked records")
    parser.add_argument("--only", default="", help="only sites whose name contains this")
    parser.add_argument("--no-browser", action="store_true", help="by HTTP calls, for development")
    parser.add_argument("--brief", action="store_true", help="no line per site")
    return parser.parse_args()


def main() -> None:
    """Play all rounds that were asked for."""
    options = _options()
    if not there():
        sys.exit("the shared data is not there")
    rounds = [
        (kind, records)
        for kind, records in ROUNDS
        if options.set in (None, kind) and options.records in (None, records)
    ]
    with _server() as url, _player(url, with_browser=not options.no_browser) as play:
        for kind, records in rounds:
            played = []
            for case in cases(kind, records=records, limit=options.sites):
                if options.only in case.name:
                    played.append(play(case))
                    outcome = played[-1].outcome
                    print(f"{outcome} {case.name} {played[-1].f1:.3f}", file=sys.stderr, flush=True)
            title = f"{kind}, {records} marked"
            print(table_of(title, played, all_sites=not options.brief), end="\n\n", flush=True)


@contextmanager
def _player(url: str, *, with_browser: bool) -> Iterator[Callable[[Case], Played]]:
    if not with_browser:
        yield lambda case: service.play(url, case)
        return
    from benchmarks.studio_sites.browser import opened

    with opened(url) as user:
        yield user.play


if __name__ == "__main__":
    main()
