"""The texts of pages: each is written once, and snapshots that have it refer to it.

Snapshot N writes the texts that are new in it to the folder `texts/N`, one file per partition. Of a
page that changed, only the difference from an earlier text is written:

    snapshot 0   pages a, b, c    texts/000000: a, b, c
    snapshot 1   b has changed    texts/000001: b - b of 000000     a and c refer to texts/000000

A folder stays as long as a snapshot refers to it. So that old folders go, texts in folders that are
little used are written again.
"""

from array import array
from collections import deque
from collections.abc import Container, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from rowen.model.errors import StoreError
from rowen.records.numbers import distinct
from rowen.storage.place import Place, store_errors
from rowen.storage.snapshots.differences import compressed, restored
from rowen.storage.snapshots.reading import reading

if TYPE_CHECKING:
    from rowen.storage.snapshots.text_groups import Groups, GroupsWriter

TEXT_GROUP_BYTES = 256 * 1024
"""Limit: bytes of text that are compressed together. To read one page, its whole group is read."""

TEXT_FOLDERS = 16
"""Limit: folders of earlier texts that a snapshot may refer to. To read a partition, a file in
each of them is opened. Texts in smaller folders are written again."""

TEXTS_KNOWN_BYTES = 64 * 1024 * 1024
"""Limit: memory for old texts of changed pages, which are read to store differences from them. A
run that compares the pages, too, does not read them again."""

WAITING_BYTES = 64 * 1024 * 1024
"""Limit: bytes of text that wait in memory to be written, over all partitions."""

LINKS = 8
"""Limit: places that are read to build a text: a full text, and differences one upon the other."""

LEAST_SAVING = 256
"""Limit: bytes of a text from which on its difference is stored. For less, it is not worth it."""

_WORTH = 8
"""A difference must be this many times as small as its text: whole texts are compressed, too."""

_GROWTH = 4
"""How many times as large as the difference below it a difference may get. Beyond this a page that
changes every night gets a difference from an earlier text, so that the chain grows slowly."""

TEXTS = "texts"


def encoded(text: str) -> bytes:
    """A text as it is stored. Arrow's strings can't hold lone surrogates, which pages may have."""
    return text.encode("utf-8", "surrogatepass")


def decoded(data: bytes) -> str:
    """A text from how it is stored."""
    return str(data, "utf-8", "surrogatepass")


def texts_folder(number: int) -> str:
    """The folder of the texts that came with a snapshot."""
    return f"{TEXTS}/{number:06}"


def texts_file(number: int, partition: int) -> str:
    """The file of those of one partition."""
    return f"{texts_folder(number)}/{partition:04}.parquet"


class Base(NamedTuple):
    """An earlier text: its places, each with the bytes that are stored there."""

    places: tuple[tuple[int, int, int], ...]
    sizes: tuple[int, ...]
    page: int = -1
    """The page of the last snapshot that has it, if it has all of it."""


@dataclass(frozen=True, slots=True)
class Spots:
    """Where texts are. Each text is a chain of links: a full text, then differences.

    A link is a place: the snapshot with which it came, its partition there, and its row.
    """

    first: NDArray[np.int64]
    """The number of each text's first link, and at the end the number of links."""
    folders: NDArray[np.int32]
    files: NDArray[np.int32]
    rows: NDArray[np.int32]
    sizes: NDArray[np.int64]
    """How many bytes are stored there."""

    @property
    def lengths(self) -> NDArray[np.int64]:
        """How many links each text has."""
        return np.diff(self.first)

    def of(self, numbers: NDArray[np.intp]) -> "Spots":
        """The spots of some texts."""
        lengths = self.lengths[numbers]
        first = np.concatenate(([0], np.cumsum(lengths))).astype(np.int64)
        links = np.repeat(self.first[numbers] - first[:-1], lengths) + np.arange(first[-1])
        return Spots(
            first, self.folders[links], self.files[links], self.rows[links], self.sizes[links]
        )

    def base(self, number: int) -> Base:
        """The links of one text."""
        start, end = int(self.first[number]), int(self.first[number + 1])
        columns = (self.folders, self.files, self.rows)
        places = zip(*(column[start:end].tolist() for column in columns), strict=True)
        return Base(tuple(places), tuple(self.sizes[start:end].tolist()))

    def links_within(self, folders: Container[int]) -> NDArray[np.int64]:
        """How many links of each text, from its first one on, are in these folders."""
        known = distinct(self.folders)
        inside = np.array([number in folders for number in known.tolist()], np.bool_)
        outside = ~inside[np.searchsorted(known, self.folders)]
        # The number of links outside before each link; the first of them ends what is within.
        before = np.concatenate(([0], np.cumsum(outside)))[:-1]
        good = before + outside == np.repeat(before[self.first[:-1]], self.lengths)
        total = np.concatenate(([0], np.cumsum(good)))
        return np.asarray(total[self.first[1:]] - total[self.first[:-1]], np.int64)


def join_spots(parts: Sequence[Spots]) -> Spots:
    """The spots of several partitions."""
    lengths = np.concatenate([np.empty(0, np.int64), *(part.lengths for part in parts)])
    return Spots(
        np.concatenate(([0], np.cumsum(lengths))).astype(np.int64),
        *(
            np.concatenate([np.empty(0, kind), *(getattr(part, name) for part in parts)])
            for name, kind in SPOT_COLUMNS.items()
        ),
    )


SPOT_COLUMNS: Mapping[str, type] = {
    "folders": np.int32,
    "files": np.int32,
    "rows": np.int32,
    "sizes": np.int64,
}


def worth_keeping(spots: Spots, written: Mapping[str, int]) -> set[int]:
    """The folders to which the next snapshot may refer, given those of the last snapshot's texts.

    Folders of which less than half is in use may not be referred to, nor all but the largest few:
    their texts are written again, so that the folders can be removed.
    """
    numbers, where = np.unique(spots.folders, return_inverse=True)
    used = np.bincount(where, spots.sizes, len(numbers)).tolist()
    half_used = [
        (size, number)
        for number, size in zip(numbers.tolist(), used, strict=True)
        # So a snapshot keeps folders with about twice its own bytes, at most.
        if 2 * size >= written.get(str(number), 0)
    ]
    return {number for _, number in sorted(half_used, reverse=True)[:TEXT_FOLDERS]}


_GROUPS_WAITING = 4
"""Limit: groups that wait to be written while more texts come."""


class TextsWriter:
    """Writes texts to the files of their partitions, in groups.

    A thread compresses and writes a group while the next texts are read.
    """

    def __init__(self, place: Place, number: int, partitions: int) -> None:
        self._place = place
        self._number = number
        self._group_bytes = min(TEXT_GROUP_BYTES, WAITING_BYTES // partitions)
        self._files = ExitStack()
        self._writers: dict[int, GroupsWriter] = {}
        # One thread, so that the groups of a file are written in the order in which rows were
        # counted.
        self._thread = ThreadPoolExecutor(1, "rowen-texts")
        self._writing: deque[Future[None]] = deque()
        self._waiting: list[list[tuple[bytes, Base | None]]] = [[] for _ in range(partitions)]
        self._waiting_bytes = [0] * partitions
        self._counts = [0] * partitions
        self._reader = TextsReader(place)
        self.kept_links = [array("b") for _ in range(partitions)]
        """By partition and row, of how many links of its base a text is a difference, ..."""
        self.sizes = [array("q") for _ in range(partitions)]
        """... and how many bytes are stored."""
        self.earlier: dict[int, bytes] = {}
        """By page of the last snapshot, texts that were read, as far as there was room."""
        self._room = TEXTS_KNOWN_BYTES

    @property
    def stored_bytes(self) -> int:
        """How many bytes were written, before they were compressed in groups."""
        return sum(sum(sizes) for sizes in self.sizes)

    def add(self, partition: int, text: bytes, base: Base | None = None) -> int:
        """Write a text, as a difference from its `base` if that is smaller; returns its row."""
        row = self._counts[partition]
        self._counts[partition] = row + 1
        useful = base if base and base.places and len(text) >= LEAST_SAVING else None
        self._waiting[partition].append((text, useful))
        # With something for the object: pages without text would otherwise wait without limit.
        self._waiting_bytes[partition] += len(text) + 64
        if self._waiting_bytes[partition] >= self._group_bytes:
            self._flush(partition)
        return row

    def _flush(self, partition: int) -> None:
        waiting = self._waiting[partition]
        if waiting:
            self._writing.append(self._thread.submit(self._write, partition, waiting))
            self._waiting[partition] = []
            self._waiting_bytes[partition] = 0
            self._await(_GROUPS_WAITING)

    def _await(self, most: int) -> None:
        """Wait until at most `most` groups are left to write."""
        while len(self._writing) > most:
            self._writing.popleft().result()

    def _write(self, partition: int, waiting: Sequence[tuple[bytes, Base | None]]) -> None:
        if partition not in self._writers:
            name = texts_file(self._number, partition)
            stream = self._files.enter_context(self._place.writing(name))
            self._writers[partition] = _groups_writer(stream)
        self._writers[partition].write(self._stored(partition, waiting))

    def _stored(self, partition: int, waiting: Sequence[tuple[bytes, Base | None]]) -> list[bytes]:
        """Each text as it is stored: whole, or as a difference from a text before."""
        bases = [(number, base) for number, (_, base) in enumerate(waiting) if base is not None]
        # All bases of a group at once, in the order of their files.
        spots = spots_of([base for _, base in bases])
        differences = {}
        for which, parts in self._reader.parts(spots):
            number, base = bases[which]
            texts = _texts_of(parts)
            differences[number] = _shortest(waiting[number][0], texts, base.sizes)
            self._room -= len(texts[-1])
            if base.page >= 0 and self._room >= 0:
                self.earlier[base.page] = texts[-1]
        stored = []
        for number, (text, _) in enumerate(waiting):
            links, data = differences.get(number, (0, text))
            self.kept_links[partition].append(links)
            self.sizes[partition].append(len(data))
            stored.append(data)
        return stored

    def close(self) -> None:
        """Finish all files."""
        with store_errors("write the snapshot's texts"):
            for partition in range(len(self._waiting)):
                self._flush(partition)
            self._await(0)
            self._thread.shutdown()
            for writer in self._writers.values():
                writer.close()
            self._files.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: object) -> None:
        if kind is not None:
            self._thread.shutdown(cancel_futures=True)
            for writer in self._writers.values():
                with suppress(StoreError), store_errors("end a file"):
                    writer.close()  # else it tries again when it is freed
            self._files.__exit__(kind, error, trace)  # type: ignore[arg-type]  # drops the files


def _groups_writer(stream: BinaryIO) -> "GroupsWriter":
    from rowen.storage.snapshots.text_groups import GroupsWriter

    return GroupsWriter(stream)


def spots_of(bases: Sequence[Base]) -> Spots:
    """The spots of some texts."""
    places = np.array([place for base in bases for place in base.places], np.int32).reshape(-1, 3)
    sizes = np.array([size for base in bases for size in base.sizes], np.int64)
    lengths = [len(base.places) for base in bases]
    first = np.concatenate(([0], np.cumsum(lengths))).astype(np.int64)
    folders, files, rows = places.T
    return Spots(first, folders, files, rows, sizes)


def _texts_of(parts: Sequence[bytes]) -> list[bytes]:
    """The text at each link of a chain."""
    texts = [parts[0]]
    for part in parts[1:]:
        texts.append(restored(part, texts[-1]))
    return texts


def _shortest(text: bytes, earlier: Sequence[bytes], sizes: Sequence[int]) -> tuple[int, bytes]:
    """How many links of its base a text is a difference of, and the difference.

    `earlier` has the texts at these links.

    It is that of the whole chain while this is short. The levels of a long chain are a ladder: the
    lowest difference is renewed until it is several times as large as the one above, and so on.
    """
    for links in range(min(len(earlier), LINKS - 1), 0, -1):
        difference = compressed(text, earlier[links - 1])
        if _WORTH * len(difference) > len(text):
            return 0, text  # a new text under an old name
        is_short = links == len(earlier) or len(difference) <= _GROWTH * sizes[links - 1]
        if is_short or links == 1:
            return links, difference
    return 0, text


class TextsReader:
    """Reads texts by their spots. Each group of a file is read once per call."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._open: dict[tuple[int, int], Groups] = {}

    def read(self, spots: Spots) -> Iterator[tuple[int, str]]:
        """The numbers of spots and their texts, in the order in which they are complete."""
        for number, parts in self.parts(spots):
            try:
                data = parts[0]
                for part in parts[1:]:
                    data = restored(part, data)
                text = decoded(data)
            except ValueError:
                last = int(spots.first[number + 1]) - 1
                name = texts_file(int(spots.folders[last]), int(spots.files[last]))
                with reading(self._place, name):
                    raise
            yield number, text

    def parts(self, spots: Spots) -> Iterator[tuple[int, list[bytes]]]:
        """The numbers of spots, and what is stored at the links of each."""
        # In the order of the files, so that each group of texts is decompressed once.
        order = np.lexsort((spots.rows, spots.files, spots.folders))
        places = spots.folders[order], spots.files[order]
        breaks = np.flatnonzero((np.diff(places[0]) != 0) | (np.diff(places[1]) != 0)) + 1
        owners = np.repeat(np.arange(len(spots.first) - 1), spots.lengths)
        left = spots.lengths.tolist()
        parts: dict[int, dict[int, bytes]] = {}
        for links in np.split(order, breaks):
            if not len(links):
                continue
            folder, file = int(spots.folders[links[0]]), int(spots.files[links[0]])
            with reading(self._place, texts_file(folder, file)):
                groups = self._file(folder, file)
                groups.want(spots.rows[links])
                for link, row, number in zip(
                    links.tolist(), spots.rows[links].tolist(), owners[links].tolist(), strict=True
                ):
                    data = groups.text(row)
                    if left[number] == 1 and number not in parts:
                        yield number, [data]  # most texts are whole
                        continue
                    own = parts.setdefault(number, {})
                    own[link] = data
                    left[number] -= 1
                    if not left[number]:
                        yield number, [part for _, part in sorted(parts.pop(number).items())]
                groups.forget()

    def _file(self, folder: int, file: int) -> "Groups":
        if (folder, file) not in self._open:
            from rowen.storage.snapshots.text_groups import Groups

            self._open[folder, file] = Groups(self._place, texts_file(folder, file))
        return self._open[folder, file]
