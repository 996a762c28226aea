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

run("rooms")  # type: ignore[arg-type]
rowen.Pattern(7)  # type: ignore[arg-type]
rowen.Dictionary(["a"], "room")  # type: ignore[call-arg]
rowen.Relation({"a": plain, "b": rooms}, distance=5, pairing="some")  # type: ignore[arg-type]
rowen.Page(b"bytes")  # type: ignore[arg-type]
