"""Books as lines of text, and nights that change them, for the tests of sinks."""

import random

import rowen

SCHEMA = {
    "title": {"key": True},
    "price": "price",
    "stars": "number",
    "pages": "integer",
    "printed": "date",
    "at": "datetime",
    "sold": "boolean",
    "tags": {"many": True},
    "reviews": {"fields": {"author": {}, "votes": "integer"}},
}


def wide(name="books", schema=SCHEMA, version="1", fields=tuple(SCHEMA)):
    """An extractor of lines like `title=Emma|price=£4.50|tags=a,b|reviews=Ann 3,Bob 4`."""

    @rowen.extractor(
        name=name, version=version, locality=rowen.Segments("\n"), fields=fields, schema=schema
    )
    def books(text):
        start = 0
        for line in text.split("\n"):
            record = {}
            place = start
            for part in line.split("|"):
                field, _, value = part.partition("=")
                at = place + len(field) + 1
                if value and field == "tags":
                    record[field] = list(spans_of(value, ",", at))
                elif value and field == "reviews":
                    record[field] = [
                        {"author": (begin, begin + 3), "votes": (begin + 4, end)}
                        for begin, end in spans_of(value, ",", at)
                    ]
                elif value:
                    record[field] = (at, at + len(value))
                place += len(part) + 1
            if record:
                yield record
            start += len(line) + 1

    return books


def spans_of(text, separator, start):
    for part in text.split(separator):
        yield start, start + len(part)
        start += len(part) + 1


LINE = (
    'title=Émma "q"|price=£4.50|stars=3.5|pages=12|printed=1 May 2020|at=2020-05-01T10:00:00|'
    "sold=yes|tags=a;b,c|reviews=Ann 3,Bob 41"
)


def nights(seed, number):
    """Random snapshots whose pages change, come, go and are renamed, with equal records."""
    rng = random.Random(seed)
    pages = {}
    for _ in range(number):
        for page in list(pages):
            if rng.random() < 0.15:
                text = pages.pop(page)
                if rng.random() < 0.5:
                    pages[f"{page}{rng.randrange(9)}"] = text
        for _ in range(rng.randrange(4)):
            lines = [
                f"title={rng.choice('ABC')}|stars={rng.randrange(3)}"
                + rng.choice(["", "|reviews=Ann 1", "|reviews=Bob 2,Ann 1", "|tags=x,y"])
                for _ in range(rng.randrange(4))
            ]
            pages[f"p{rng.randrange(6)}"] = "\n".join(lines)
        yield {**pages, "last": "title=C"}
