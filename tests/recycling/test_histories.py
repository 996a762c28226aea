"""A store's records of every snapshot are those of a run from scratch, to the byte."""

import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
import pytest
from effort import cases
from hanging import Hanging
from here import Here
from hypothesis import given, settings
from verifying import record_files

from rowen import Page, Segments, Store, WholePage, Window
from rowen.engines.local import Local
from rowen.recycling import intake
from rowen.storage.snapshots import texts

LOCALITIES = st.one_of(
    st.builds(Window, st.integers(0, 5), st.integers(0, 4)),
    st.sampled_from([Segments(("\n",)), Segments(("ab", "a")), WholePage()]),
)
TEXTS = st.one_of(st.text("ab\n", max_size=60), st.text("ab\né\ud800", max_size=60))


@st.composite
def edited(draw: st.DrawFn, old: str) -> str:
    """Some of a text replaced, moved or doubled."""
    places = st.integers(0, len(old))
    start, end = sorted((draw(places), draw(places)))
    begin, until = sorted((draw(places), draw(places)))
    piece = draw(st.sampled_from(["", old[begin:until], draw(st.text("ab\n", max_size=6))]))
    return old[:start] + piece + old[end:]


@st.composite
def histories(draw: st.DrawFn) -> list[dict[str, str]]:
    """Snapshots, each made of the one before: pages by their ids."""
    ids = st.integers(0, 99).map(lambda number: f"page {number}\udcff")
    now = draw(st.dictionaries(ids, TEXTS, min_size=1, max_size=5))
    snapshots = [now]
    for _ in range(draw(st.integers(2, 4))):
        after: dict[str, str] = {}
        for page, text in now.items():
            ways = ["keep", "edit", "delete", "rename", "both", "copy", "back"]
            match draw(st.sampled_from(ways)):
                case "keep":
                    after[page] = text
                case "edit":
                    after[page] = draw(edited(text))
                case "rename":
                    after[draw(ids)] = text
                case "copy":
                    after[page] = after[draw(ids)] = text
                case "back":
                    earlier = draw(st.sampled_from(snapshots))
                    after[page] = draw(st.sampled_from(list(earlier.values())))
                case "both":
                    after[draw(ids)] = draw(edited(text))
        after |= draw(st.dictionaries(ids, TEXTS, min_size=0 if after else 1, max_size=2))
        order = draw(st.permutations(list(after)))
        now = {page: after[page] for page in order}
        snapshots.append(now)
    return snapshots


@st.composite
def crews(draw: st.DrawFn) -> list[Hanging]:
    """The extractors of a run: always the first, the others come, go and change their version."""
    kinds = {"first": 0, "second": 1, "third/é": 2}
    names = ["first", *draw(st.sets(st.sampled_from(["second", "third/é"])))]
    versions = st.sampled_from(["1", "1", "1", "2"])
    return [Hanging(WholePage(), kinds[name], name=name, version=draw(versions)) for name in names]


def run(store: Path, crew: Sequence[Hanging], pages: dict[str, str], **options: Any) -> None:
    incoming = [Page(text, id=page_id) for page_id, text in pages.items()]
    Store(store).run(crew, incoming, allow_shrink=1, **options)


@settings(max_examples=cases(40, 2_000))
@given(
    histories(),
    st.lists(crews(), min_size=5, max_size=5),
    st.fixed_dictionaries(
        {
            name: st.tuples(LOCALITIES, st.sampled_from(["never", "never", "raises", "stops"]))
            for name in ("first", "second", "third/é")
        }
    ),
    st.sampled_from(["auto", "none", "line", "anchor", "suffix"]),
    st.sampled_from([0, 0, 0, 0, 0, 0, 0, 1, 2]),
    st.lists(st.integers(1, 8), min_size=5, max_size=5),
    st.booleans(),
    st.lists(st.sampled_from([0, 0, 0, 1, 2]), min_size=5, max_size=5),
)
def test_reuse_gives_what_extraction_from_scratch_gives(
    snapshots: list[dict[str, str]],
    runs: list[list[Hanging]],
    nature: dict[str, tuple[Any, Any]],
    matcher: str,
    jobs: int,
    partitions: list[int],
    fixed: bool,  # noqa: FBT001
    kept: list[int],
) -> None:
    place = Path(tempfile.mkdtemp())
    try:
        for number, pages in enumerate(snapshots):
            crew = runs[number]
            for extractor in crew:
                extractor.locality, extractor.fails = nature[extractor.name]
            with pytest.MonkeyPatch.context() as patch:
                count = partitions[0 if fixed else number]
                patch.setattr(intake, "_partitions", lambda *_, count=count: count)
                patch.setattr(texts, "LEAST_SAVING", 0)
                patch.setattr(texts, "_WORTH", 0)
                engine = Local(jobs) if jobs else Here()
                run(place / "store", crew, pages, matcher=matcher, engine=engine)
                run(place / "fresh", crew, pages, scratch=True, engine=Here())
            assert record_files(place / "store", number) == record_files(place / "fresh", 0)
            shutil.rmtree(place / "fresh")
            if kept[number]:
                Store(place / "store").drop(keep=kept[number])
    finally:
        shutil.rmtree(place)
