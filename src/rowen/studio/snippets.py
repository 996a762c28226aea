"""Code snippets that use a published wrapper, to copy."""

from shlex import quote

from rowen.model.errors import UsageError
from rowen.programs.scrapy import to_scrapy
from rowen.studio.material import wrapper_of
from rowen.studio.published import Version


def snippets_of(version: Version, service: str) -> dict[str, str]:
    """For the command line, Python and HTTP, and a Scrapy spider if the class has an export."""
    path, name = version.path, version.name
    base = service.rstrip("/")
    snippets = {
        "command line": f"rowen extract {quote(str(path))} PAGE... -f jsonl\n",
        "python": (
            "import rowen\n\n"
            f"wrapper = rowen.load({str(path)!r})\n"
            'page = rowen.Page(open("page.html", encoding="utf-8").read(), id="page.html")\n'
            "for record in wrapper.extract(page):\n"
            "    print(record.values)\n"
        ),
        "http": (
            f"curl -F myfile=@page.html '{base}/?output=json'   # returns an id\n"
            f"curl '{base}/ID/records?extractor={name}'\n"
        ),
    }
    snippets["scrapy"] = _spider(version.definition())
    return snippets


def file_snippets(definition: str, path: str) -> dict[str, str]:
    """For a wrapper that was downloaded as a file: the command line, Python and Scrapy."""
    return {
        "command line": f"rowen extract {quote(path)} FOLDER -f csv -o data.csv\n",
        "python": (
            "import rowen\n\n"
            f"wrapper = rowen.load({path!r})\n"
            'page = rowen.Page(open("page.html", encoding="utf-8").read(), id="page.html")\n'
            "for record in wrapper.extract(page):\n"
            "    print(record.values)\n"
        ),
        "scrapy": _spider(definition),
    }


def _spider(definition: str) -> str:
    try:
        return to_scrapy(wrapper_of(definition))
    except UsageError as error:  # the class has no export; the message says so
        return f"# {error}\n"
