"""A shop's pages over several nights, on the last of which it was redesigned."""

import json

import rowen

BOOKS = [("Emma", 7), ("Kim", 5), ("Ulysses", 12), ("Dracula", 9), ("Persuasion", 8), ("Walden", 6)]


def page(books, *, night=0, redesigned=False):
    """The HTML of a shelf; prices change from night to night, those of even places."""
    rows = [
        (title, f"{price + (night if place % 2 == 0 else 0)}.50")
        for place, (title, price) in enumerate(books)
    ]
    if redesigned:
        lines = "".join(
            f'<article><h3 class="t">{title}</h3><span data-p>EUR {price}</span></article>\n'
            for title, price in rows
        )
        return f"<html><body><main>\n{lines}</main></body></html>"
    lines = "".join(f"<li><b>{title}</b> <i>{price}</i></li>\n" for title, price in rows)
    return f"<html><body><h1>Books</h1><ul>\n{lines}</ul><hr>End</body></html>"


def pages(night, *, redesigned=()):
    """All shelves of a night; `redesigned` has the names of those in the new layout."""
    shelves = {f"shelf-{number}.html": BOOKS[number:] + BOOKS[:number] for number in range(4)}
    return {
        name: page(
            books,
            night=night if name == "shelf-0.html" else 0,
            redesigned=name in redesigned,
        )
        for name, books in shelves.items()
    }


def learned(name="books"):
    """A wrapper for the pages of the first nights."""
    text = pages(0)["shelf-0.html"]
    records, at = [], 0
    for title, _ in BOOKS:
        start = text.index(f"<b>{title}<", at) + 3
        price = text.index("<i>", start) + 3
        at = text.index("<", price)
        records.append({"title": (start, start + len(title)), "price": (price, at)})
    example = rowen.Example(rowen.Page(text, id="shelf-0.html"), records)
    definition = rowen.learn([example]).to_definition().to_dict()
    return {**definition, "name": name, "version": "1"}


def write_store(folder, definition, *, nights=3, redesigned=("shelf-1.html", "shelf-2.html")):
    """A store with runs of a wrapper; in the last, some pages have a new layout."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    file = folder.with_name("books.json")
    file.write_text(json.dumps(definition), "utf-8")
    extractor = rowen.load(file)
    store = rowen.Store(folder)
    for night in range(nights):
        last = night == nights - 1
        snapshot = pages(night, redesigned=redesigned if last else ())
        store.run([extractor], {name: rowen.Page(text, id=name) for name, text in snapshot.items()})
    return store


def publish(server, project="shop"):
    """A project that has published the wrapper, as the studio does it."""
    api = "/studio/api/projects"
    assert server.client.post(api, json={"name": project}).status_code == 201
    text = pages(0)["shelf-0.html"]
    answer = server.client.post(
        f"{api}/{project}/pages", params={"page": "shelf-0.html"}, content=text
    )
    state, records, at = answer.json(), [], 0
    for title in ("Emma", "Kim", "Ulysses", "Dracula", "Persuasion", "Walden"):
        begin = text.index(f"<b>{title}<", at) + 3
        price = text.index("<i>", begin) + 3
        at = text.index("<", price)
        records.append({"title": [begin, begin + len(title)], "price": [price, at]})
    for action in (
        {"do": "fields", "fields": ["title", "price"], "renamed": {}},
        {
            "do": "splice",
            "page": "shelf-0.html",
            "start": 0,
            "end": 0,
            "records": records,
            "complete": True,
            "told": "mark",
        },
    ):
        step = {"revision": state["revision"], "action": action}
        answer = server.client.post(f"{api}/{project}/actions", json=step)
        assert answer.status_code == 200, answer.text
        state = answer.json()
    publication = {"revision": state["revision"], "name": "books"}
    answer = server.client.post(f"{api}/{project}/publish", json=publication)
    assert answer.status_code == 201, answer.text
