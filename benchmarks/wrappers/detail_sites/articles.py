"""Sites of articles: the body is a run of paragraphs with figures and adverts between them."""

from random import Random

from benchmarks.wrappers.detail_sites.page import (
    Writer,
    advert,
    mark,
    maybe,
    person,
    sentences,
)


def _body(chance: Random) -> str:
    parts = [f"<p>{sentences(chance, 2)}</p>"]
    for _ in range(chance.randint(2, 5)):
        parts.append(
            maybe(
                chance,
                0.3,
                f"<figure><img src='/i.jpg'><figcaption>{sentences(chance, 1)}</figcaption></figure>",
            )
        )
        parts.append(maybe(chance, 0.3, advert(chance)))
        parts.append(maybe(chance, 0.2, f"<h2>{person(chance)}</h2>"))
        parts.append(f"<p>{sentences(chance, 2)}</p>")
    return "\n".join(filter(None, parts)).removeprefix("<p>").removesuffix("</p>")


def herald(chance: Random) -> str:
    """The body fills an element of its own."""
    title = sentences(chance, 1)
    return f"""<!doctype html><html><head><title>{title} - Herald</title></head><body><nav><p>Herald</p></nav>
<article><h1>{mark("title", title)}</h1><p class="by">By {mark("author", person(chance))}{maybe(chance, 0.4, ", staff")}</p>
<time>{mark("date", f"{chance.randint(1, 28)} April 2026")}</time>
<div class="body"><p>{mark("body", _body(chance))}</p></div></article><p>Read more</p></body></html>"""


def gazette(chance: Random) -> str:
    """The body's paragraphs are siblings of the headline and of the links below them."""
    title = sentences(chance, 1)
    links = "".join(
        f"<li><a href='/{number}'>{sentences(chance, 1)}</a></li>" for number in range(3)
    )
    return f"""<html><head><title>Gazette</title></head><body><div id="story"><h1>{mark("title", title)}</h1>
<div class="meta">{mark("date", f"April {chance.randint(1, 28)}, 2026")} by <a href="/a">{mark("author", person(chance))}</a></div>
{maybe(chance, 0.5, "<img src='/lead.jpg'>")}
<p>{mark("body", _body(chance))}</p>
<div class="share"><a href="#">Share</a></div><h4>More stories</h4><ul>{links}</ul></div></body></html>"""


SITES: dict[str, Writer] = {"herald": herald, "gazette": gazette}
