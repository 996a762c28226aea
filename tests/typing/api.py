"""How people use the interface: read by mypy, never run. What is marked wrong must stay wrong."""

import rowen


@rowen.extractor
def plain(text: str) -> list[dict[str, object]]:
    return [{"all": (0, len(text))}]


@rowen.extractor(name="rooms", version="1", locality=rowen.Window(scope=6, context=0))
def rooms(text: str) -> list[dict[str, object]]:
    return [{"room": (0, len(text))}]


def run(extractor: rowen.Extractor) -> list[str | list[str] | None]:
    records: rowen.Records = extractor.extract(rowen.Page("text", id="p1"))
    return [record.values["room"] for record in records]


run(plain)
run(rooms)
run(rowen.Pattern(r"(?P<room>\d+)", name="rooms"))
run(rowen.Dictionary(["a"], field="room", fold_case=True))
run(rowen.Relation({"a": plain, "b": rooms}, distance=5, pairing="nearest", within="\n"))
run(rowen.load("saved.json"))
rowen.Example("text", [{"room": (0, 4)}], partial=True)
span: rowen.Span | list[rowen.Span] | None = rowen.Record("text", {"room": (0, 4)}).spans["room"]


def call(service: rowen.Client) -> str | None:
    with service:
        document = service.submit("a.pdf", name="b.pdf")
        cited: tuple[rowen.Citation, ...] = service.citations(document, reuse="off").value
        return service.header(document.id).value.title or cited[0].title


async def call_and_await(service: rowen.AsyncClient) -> str:
    async with service:
        document = await service.submit(b"a text")
        return (await service.text(document)).value


def read_many() -> list[str]:
    with rowen.read_papers(["a.pdf", "folder"], jobs=2, progress=print) as papers:
        return [paper.text for _, paper in papers if isinstance(paper, rowen.Paper)]


call(rowen.Client("http://localhost", token="secret"))
rowen.read_papers("a.pdf", 2)  # type: ignore[call-arg]
rowen.Client().header(7)  # type: ignore[arg-type]
rowen.Client().text("id", reuse="some")  # type: ignore[arg-type]
rowen.Client().export("id", "header", "pdf")  # type: ignore[arg-type]
rowen.Client("http://localhost", "secret")  # type: ignore[call-arg]
run("rooms")  # type: ignore[arg-type]
rowen.Pattern(7)  # type: ignore[arg-type]
rowen.Dictionary(["a"], "room")  # type: ignore[call-arg]
rowen.Relation({"a": plain, "b": rooms}, distance=5, pairing="some")  # type: ignore[arg-type]
rowen.Page(b"bytes")  # type: ignore[arg-type]
