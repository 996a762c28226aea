"""Find the markup of a page, so that the report can show it in grey."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rowen.model import Span
from rowen.text.sniffing import looks_like_html

if TYPE_CHECKING:
    from rowen.text.html_tokens import Tokens


def markup(text: str, shown: Sequence[Span]) -> list[Span]:
    """The spans of tags, comments, scripts and styles in the shown parts of an HTML page.

    Adjacent ones are joined, with the blanks between tags. Other texts have no markup.
    """
    if not looks_like_html(text):
        return []
    from rowen.text.html_tokens import tokenize

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
    from rowen.text.html_tokens import LITERAL, Kind

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
