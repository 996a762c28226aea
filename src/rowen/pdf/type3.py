"""Type 3 fonts, whose letters are drawings: their size, and the letters of TeX's old ones.

Their size may be 1, with the real size in the drawings. TeX's bitmap fonts have no names and no map
to Unicode; codes below 32 are ligatures and accents there, and some signs are others:

    code    read as before    is
    12      nothing           fi
    19 e    e                 é
    123     {                 an en dash
"""

import numpy as np
from numpy.typing import NDArray

_SMALL = 1.5  # points: text of this size can't be read, so it is hardly the real size
_HEIGHT = 0.9  # of the size: a font's letters together, from the lowest to the highest
_LEAST = 8  # letters of a font that show its size
_LETTERS = 0.6  # of the characters of a text font are letters
_FIRST_LETTER, _LAST_LETTER = ord("a"), ord("z")
_TEX = {
    11: "\ufb00", 12: "\ufb01", 13: "\ufb02", 14: "\ufb03", 15: "\ufb04", 16: "ı", 17: "ȷ",
    18: "`", 19: "´", 20: "ˇ", 21: "˘", 22: "¯", 23: "˚", 24: "¸", 25: "ß", 26: "æ", 27: "œ",
    28: "ø", 29: "Æ", 30: "Œ", 31: "Ø", 34: "”", 92: "“", 94: "ˆ", 95: "˙", 123: "–", 124: "—",
    125: "˝", 126: "˜", 127: "¨",
}  # fmt: skip
_LIGATURES = np.arange(11, 16)


def real_sizes(places: NDArray[np.float32], fonts: NDArray[np.int32]) -> NDArray[np.float32]:
    """The places with sizes from the letters' boxes where a font's own size is hardly real."""
    small = (places[:, 6] <= _SMALL) & (places[:, 3] - places[:, 1] > _SMALL)
    if not small.any():
        return places
    sized = places.copy()
    for font in np.unique(fonts[small]).tolist():
        own = small & (fonts == font)
        if np.count_nonzero(own) >= _LEAST:
            low = np.percentile(places[own, 1] - places[own, 5], 5)
            high = np.percentile(places[own, 3] - places[own, 5], 95)
            sized[own, 6] = max(high - min(low, 0.0), 0.0) / _HEIGHT
    return sized


def tex_letters(
    codes: NDArray[np.uint32], fonts: NDArray[np.int32], unmapped: NDArray[np.bool_],
    nameless: NDArray[np.bool_],
) -> NDArray[np.uint32]:  # fmt: skip
    """The codes with those of TeX's text fonts replaced; `nameless` tells of each font."""
    if not nameless.any() or not len(codes):
        return codes
    own = unmapped & nameless[fonts]
    if not (own & np.isin(codes, _LIGATURES)).any():
        return codes
    replaced = codes.copy()
    for font in np.unique(fonts[own]).tolist():
        of_font = own & (fonts == font)
        letters = (codes | 32 >= _FIRST_LETTER) & (codes | 32 <= _LAST_LETTER)
        if np.count_nonzero(of_font & letters) >= _LETTERS * np.count_nonzero(of_font):
            for code, letter in _TEX.items():
                replaced[of_font & (codes == code)] = ord(letter)
    return replaced
