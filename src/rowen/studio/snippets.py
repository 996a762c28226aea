"""How a published wrapper is used elsewhere, ready to be copied."""

from shlex import quote

from rowen.model.errors import UsageError
from rowen.studio.published import Version
from rowen.studio.upkeep import wrapper_of
from rowen.wrappers.exporting.scrapy import to_scrapy


def snippets_of(version: Version, service: str) -> dict[str, str]:
    """The command line, Python, HTTP, and a Scrapy spider where the wrapper can be said so."""
    path, name = version.path, version.name
    base = service.rstrip("/")
    told = {
        "command line": f"rowen extract {quote(str(path))} PAGE... -f jsonl\n",
        "python": (
            "import rowen\n\n"
            f"wrapper = rowen.load({str(path)!r})\n"
            'for record in wrapper.extract(open("page.html", encoding="utf-8").read()):\n'
            "    print(record.values)\n"
        ),
        "http": (
            f"curl -F myfile=@page.html '{base}/?output=json'   # answers with an id\n"
            f"curl '{base}/ID/records?extractor={name}'\n"
        ),
    }
    try:
        told["scrapy"] = to_scrapy(wrapper_of(version.definition()))
    except UsageError as error:
        told["scrapy"] = f"# {error}\n"
    return told
