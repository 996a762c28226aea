import numpy as np
from numpy.typing import NDArray

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
def json_lines(
    text: str, rows: list[tuple[tuple[int, int], ...]], *, head: bytes, keys: list[bytes]
) -> bytes: ...
