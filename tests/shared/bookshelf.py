"""Papers for a library without a service: documents, and what was extracted of them."""

from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from rowen.storage.documents.store import Document


def in_memory():
    """A folder that is not on a disk: databases wait for that after each of many small changes."""
    memory = Path("/dev/shm")
    return TemporaryDirectory(dir=memory if memory.is_dir() else None)


def document(name, *, digest=None):
    digest = digest or sha256(name.encode()).hexdigest()
    return Document(digest[:32], digest, "application/pdf", 1000, name, "2026-11-19T00:00:00+00:00")


def person(name):
    given, _, family = name.rpartition(" ")
    return {"given": given, "family": family, "affiliations": [], "email": None}


def citation(raw, **fields):
    return {
        "raw": raw,
        "authors": [],
        "editors": [],
        "spans": {},
        **dict.fromkeys(("title", "container", "year", "volume", "issue", "pages", "publisher")),
        **dict.fromkeys(("place", "doi", "url", "note")),
        **fields,
    }


def content(title=None, authors=(), *, text=None, body="", citations=(), **fields):
    whole = {
        "title": title,
        "authors": [person(name) for name in authors],
        "abstract": None,
        "keywords": [],
        "doi": None,
        "date": None,
        "language": None,
        "body": [{"heading": None, "text": body}] if body else [],
        "citations": list(citations),
        **fields,
    }
    whole["text"] = text if text is not None else f"{title}\n{' '.join(authors)}\n{body}"
    return whole


def put(library, name, paper, version="1"):
    """Add a paper that was read; its id."""
    added = document(name)
    library.add(added)
    return read(library, added.id, paper, version)


def read(library, id_, paper, version="1"):
    """Read a paper, for the first time or again."""
    library.read_again([id_])
    waiting = library.next_waiting()
    while waiting.id != id_:
        waiting = library.next_waiting(but={waiting.number})
    library.put_content(waiting.number, paper, version)
    return id_
