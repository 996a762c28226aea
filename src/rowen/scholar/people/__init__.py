"""From the lines of a paper's front to its people."""

from rowen.scholar.people.authors import Author, authors_of

__all__ = ["Author", "authors_of"]
