"""Store the pages of a PDF sideways, and turn them upright with /Rotate."""

import ctypes
import sys

import pypdfium2
from pypdfium2 import raw

document = pypdfium2.PdfDocument(sys.argv[1])
for page in document:
    width, height = page.get_size()
    # A quarter turn counterclockwise about the origin, moved back onto the page.
    matrix = raw.FS_MATRIX(0, 1, -1, 0, height, 0)
    clip = raw.FS_RECTF(0, height, width, 0)
    raw.FPDFPage_TransFormWithClip(page, ctypes.byref(matrix), None)
    page.set_mediabox(0, 0, height, width)
    page.set_cropbox(0, 0, height, width)
    page.set_rotation(90)
    del clip
document.save(sys.argv[2])
