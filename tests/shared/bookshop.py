"""A made-up shop before and after a redesign of its site, to serve by `sites.Site`."""

BOOKS = [
    ("The Sea", "Ada Byron", "12.50"),
    ("A Garden", "Kurt Weil", "8.00"),
    ("Old Roads", "Mary Ash", "21.90"),
    ("Nine Days", "Igor Lund", "15.00"),
    ("Cold Tea", "Ada Byron", "7.25"),
    ("The Mill", "Jane Orr", "11.00"),
    ("Salt", "Pavel Ruz", "9.95"),
    ("Two Hills", "Mary Ash", "14.40"),
    ("North", "Igor Lund", "19.00"),
]
SHELVES = {"/one": BOOKS[:3], "/two": BOOKS[3:6], "/three": BOOKS[6:]}


def old_page(books):
    rows = "".join(
        f'<li class="book"><h3>{title}</h3> by <i>{author}</i> <b>{price} EUR</b></li>'
        for title, author, price in books
    )
    return f"<html><h1>Books</h1><ul>{rows}</ul><p>Open daily</p></html>".encode()


def new_page(books):
    rows = "".join(
        f'<tr><td class="p">EUR {price}</td><td><a href="/b">{title}</a></td>'
        f"<td><span>{author}</span></td></tr>"
        for title, author, price in books
    )
    return f"<html><h1>Our books</h1><table>{rows}</table><p>Closed</p></html>".encode()


def old_site():
    return {path: old_page(books) for path, books in SHELVES.items()}


def new_site():
    return {path: new_page(books) for path, books in SHELVES.items()}


def labels(books):
    return [{"title": title, "author": author, "price": price} for title, author, price in books]
