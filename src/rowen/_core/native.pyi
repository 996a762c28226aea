from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

class LinearChainCRF:
    def __init__(
        self,
        templates: Sequence[Sequence[tuple[int, int]]],
        keys: NDArray[np.uint64],
        starts: NDArray[np.uint32],
        labels: NDArray[np.uint8],
        weights: NDArray[np.float32],
        transitions: NDArray[np.float32],
    ) -> None: ...
    def label(self, rows: NDArray[np.uint64]) -> NDArray[np.uint8]: ...
    def label_surely(
        self, rows: NDArray[np.uint64], groups: NDArray[np.uint8]
    ) -> tuple[NDArray[np.uint8], NDArray[np.float32]]: ...

class ChainTrainer:
    def __init__(
        self, templates: Sequence[Sequence[tuple[int, int]]], label_count: int
    ) -> None: ...
    def add(self, rows: NDArray[np.uint64], labels: NDArray[np.uint8]) -> None: ...
    def prepare(
        self,
        seen: int,
        never: float,
        prior: tuple[
            NDArray[np.uint64],
            NDArray[np.uint32],
            NDArray[np.uint8],
            NDArray[np.float32],
            NDArray[np.float32],
        ]
        | None,
    ) -> None: ...
    def run_pass(self, order: NDArray[np.uint32], rate: float, c2: float) -> None: ...
    def loss(self, first: int, last: int) -> float: ...
    def weights(
        self,
    ) -> tuple[
        NDArray[np.uint64],
        NDArray[np.uint32],
        NDArray[np.uint8],
        NDArray[np.float32],
        NDArray[np.float32],
    ]: ...

def feature_keys(
    templates: Sequence[Sequence[tuple[int, int]]], rows: NDArray[np.uint64]
) -> NDArray[np.uint64]: ...
def feature_value(text: str) -> int: ...
def confine(libraries: bool) -> int: ...
def data_nodes(
    text: str, start: int, end: int, *, depth: int, most: int
) -> tuple[
    NDArray[np.uint8],
    NDArray[np.uint8],
    NDArray[np.int32],
    NDArray[np.int32],
    NDArray[np.int32],
    NDArray[np.int32],
    NDArray[np.int32],
    NDArray[np.int32],
    int,
    int,
]: ...
def html_token_at(text: str, place: int) -> tuple[int, int, int, int]: ...
def html_tokens(
    text: str,
    *,
    hint_starts: NDArray[np.int32] | None = None,
    hints: NDArray[np.uint8] | None = None,
) -> tuple[
    NDArray[np.uint8],
    NDArray[np.uint8],
    NDArray[np.int32],
    NDArray[np.int32],
    NDArray[np.int32],
    NDArray[np.int32],
]: ...
def html_outline(text: str) -> HtmlOutline: ...

class HtmlOutline:
    def columns(
        self,
    ) -> tuple[
        NDArray[np.uint64],
        NDArray[np.int32],
        NDArray[np.int32],
        NDArray[np.int32],
        NDArray[np.int32],
        NDArray[np.int32],
        NDArray[np.int32],
        NDArray[np.int32],
        NDArray[np.int32],
    ]: ...
    def digests(self) -> tuple[NDArray[np.uint64], NDArray[np.uint64], NDArray[np.uint64]]: ...

def name_digest(text: str) -> int: ...
def text_digest(text: str) -> int: ...
def page_line(line: bytes) -> tuple[str, str] | None: ...
def json_lines(
    text: str,
    rows: list[tuple[tuple[int, int], ...]],
    *,
    head: bytes,
    keys: list[bytes],
    read: Callable[[int, int | None, int | None], bytes] | None = None,
    typed: list[bool] = ...,
) -> bytes: ...
def plain_values(text: str, spans: dict[str, Any]) -> dict[str, str | None]: ...
def match_edges(old: str, new: str, least: int) -> NDArray[np.int64]: ...
def match_suffix(old: str, new: str, least: int) -> NDArray[np.int64]: ...
def match_anchor(old: str, new: str, least: int) -> NDArray[np.int64] | None: ...
def match_line(old: str, new: str, least: int) -> NDArray[np.int64]: ...

class NearIndex:
    def __init__(self, rest: int, note: int) -> None: ...
    def add(self, id: bytes, code: int, extra: bytes) -> None: ...  # noqa: A002  # the word for it
    def remove(self, id: bytes, code: int) -> bool: ...  # noqa: A002  # the word for it
    def find_near(self, code: int, distance: int) -> list[tuple[bytes, int, bytes]]: ...
    def find_like(
        self, code: int, rest: bytes, distance: int
    ) -> list[tuple[bytes, int, bytes]]: ...
    def memory(self) -> int: ...
    def __len__(self) -> int: ...

def pdf_characters(
    functions: dict[str, int], text_page: int, most: int
) -> tuple[
    NDArray[np.uint32],
    NDArray[np.float32],
    NDArray[np.int32],
    NDArray[np.uint8],
    NDArray[np.uint8],
    NDArray[np.uint8],
    list[tuple[str, int, int]],
]: ...
def pdf_shapes(
    functions: dict[str, int], page: int, most: int
) -> tuple[NDArray[np.uint8], NDArray[np.float32]]: ...

class QuietPlaces:
    def __init__(
        self,
        kinds: Sequence[int],
        onward: Sequence[Sequence[Sequence[int]]],
        begun: Sequence[Sequence[int]],
        most_nodes: int,
    ) -> None: ...
    def copies(
        self,
        old: str,
        text: str,
        regions: NDArray[np.int64],
        *,
        behind: int,
        ahead: int,
        longest: int,
        window: int,
        searched: int,
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]: ...

def scan_table(
    text: str,
    left: Sequence[str],
    right: Sequence[str],
    *,
    head: str | None,
    tail: str | None,
    open: str | None,  # noqa: A002  # the name in the saved file
    close: str | None,
) -> tuple[list[tuple[tuple[int, int], ...]], str | None, int]: ...
def segment_bounds(
    text: str, separators: Sequence[str]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]: ...
def segments_elsewhere(
    old: str, text: str, gaps: NDArray[np.int64], separators: str
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]: ...
def segments_inside(
    old: str, text: str, regions: NDArray[np.int64], separators: str
) -> tuple[NDArray[np.int64], NDArray[np.int64]]: ...
def simhash64(text: str) -> int: ...
def fingerprint(text: str, key: int) -> tuple[int, bytes]: ...
def shared_shingles(one: str, other: str) -> tuple[int, int]: ...
def suffix_order(
    codes: NDArray[np.uint32], wanted: NDArray[np.uint8]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]: ...
def substring_classes(
    starts: NDArray[np.int32],
    shared: NDArray[np.int32],
    ends: NDArray[np.int32],
    groups: NDArray[np.int32],
    count: int,
    weights: NDArray[np.int32],
) -> tuple[
    NDArray[np.int32],
    NDArray[np.int32],
    NDArray[np.int32],
    NDArray[np.int32],
    NDArray[np.int32],
    NDArray[np.int32],
]: ...
def first_after(
    starts: NDArray[np.int32],
    groups: NDArray[np.int32],
    from_: NDArray[np.int32],
    until: NDArray[np.int32],
    limits: NDArray[np.int32],
) -> NDArray[np.int32]: ...
def last_starts(
    codes: NDArray[np.uint32], begin: int, end: int, longest: int
) -> NDArray[np.int32]: ...
def landmark_tags(outline: HtmlOutline, landmark: tuple[Any, ...]) -> NDArray[np.int32]: ...
def record_stretches(outline: HtmlOutline, boundary: tuple[Any, ...]) -> list[tuple[int, int]]: ...
def cell_places(outline: HtmlOutline) -> NDArray[np.int32]: ...
def cut_bounds(outline: HtmlOutline, cut: tuple[Any, ...], tag: int) -> tuple[int, int] | None: ...
def rule_values(outline: HtmlOutline, rule: tuple[Any, ...]) -> list[tuple[int, int, int]]: ...
def token_rows(
    outline: HtmlOutline,
    *,
    record: tuple[Any, ...] | None,
    fields: tuple[Any, ...],
    required: int,
) -> tuple[list[Any], bool]: ...
def drop_privileges() -> None: ...
def end_with(parent: int) -> bool: ...
def landlock(folders: list[str]) -> int: ...
def universal_hash(data: NDArray[np.uint8], key: bytes) -> bytes: ...
