"""Which parts of a page are markup, so that the report can let the text stand out."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rowen.documents.sniffing import looks_like_html
from rowen.model import Span

if TYPE_CHECKING:
    from rowen.documents.html import Tokens


def markup(text: str, shown: Sequence[Span]) -> list[Span]:
    """The tags, comments, scripts and styles in what is shown of an HTML page.

    Those that touch are one. Blanks between tags belong to them. Other texts have no markup.
    """
    if not looks_like_html(text):
        return []
    from rowen.documents.html import tokenize

    tokens = tokenize(text)
    runs: list[Span] = []
    for excerpt in shown:
        for span in _unseen(tokens, excerpt):
            if runs and runs[-1].end == span.start:
                runs[-1] = Span(runs[-1].start, span.end)
            else:
                runs.append(span)
    return runs


def _unseen(tokens: "Tokens", excerpt: Span) -> Iterator[Span]:
    from rowen.documents.html import LITERAL, Kind

    first = int(tokens.ends.searchsorted(excerpt.start, side="right"))
    last = int(tokens.starts.searchsorted(excerpt.end))
    for index in range(first, last):
        span = Span(
            max(int(tokens.starts[index]), excerpt.start),
            min(int(tokens.ends[index]), excerpt.end),
        )
        is_text = tokens.kinds[index] == Kind.TEXT and not tokens.flags[index] & LITERAL
        if not is_text or tokens.text[span.start : span.end].isspace():
            yield span
