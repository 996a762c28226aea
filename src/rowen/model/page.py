"""Pages: a text with an id."""

from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Self


def digest(text: str) -> str:
    """A 128-bit digest of a text, in hexadecimal."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


@dataclass(frozen=True, slots=True)
class Page:
    """A text with its newlines unchanged, and its id: a URL, a path or a digest.

    >>> page = Page("<b>Congo</b> <i>242</i>", id="codes.html")
    >>> page.id, page.text[3:8]
    ('codes.html', 'Congo')
    """

    text: str = field(repr=False)
    id: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.text, str):
            raise TypeError(f"a page's text is a str, not {type(self.text).__name__}")
        if not self.id:
            object.__setattr__(self, "id", digest(self.text))

    @classmethod
    def of(cls, page: Self | str) -> Self:
        """The page itself, or a text as a page whose id is its digest."""
        return page if isinstance(page, cls) else cls(page)  # type: ignore[arg-type]  # a str
