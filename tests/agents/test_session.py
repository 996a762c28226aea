"""An agent's session with `rowen mcp`, by the SDK's own client."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest
from bookshop import BOOKS, SHELVES, labels, new_site, old_site
from httpx2 import AsyncClient
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from sites import Site

import rowen

TOKEN = "a token of an agent's host"


def stdio(*arguments):
    command = [sys.executable, "-m", "rowen", "mcp", *map(str, arguments)]
    return Client(StdioServerParameters(command=command[0], args=command[1:]))


@contextmanager
def http(*arguments, token=None):
    command = [sys.executable, "-m", "rowen", "mcp", "--http", "--port", "0", *map(str, arguments)]
    own = {} if token is None else {"ROWEN_MCP_TOKEN": token}
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env={**os.environ, **own})
    try:
        yield re.search(r"http://\S+/mcp", server.stderr.readline()).group()
    finally:
        server.send_signal(signal.SIGINT)
        server.stderr.close()
        assert server.wait(20) in {0, 130}


def session(client, talk):
    async def run():
        async with client as connected:
            return await talk(connected)

    return asyncio.run(run())


async def call(client, tool, **arguments):
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    return result.structured_content


async def refusal(client, tool, **arguments):
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    return result.content[0].text


def values(answer):
    return [record["values"] for record in answer["records"]]


async def life_of_a_site(client, site, redesign):
    """Learn, extract, find the drift of a redesign, repair, extract again."""
    one, *others = [f"{site.url}{path}" for path in SHELVES]
    pages = [one, *others]
    learned = await call(
        client, "learn", name="books", pages=pages, labels={one: labels(SHELVES["/one"])}
    )
    assert learned["warnings"] == []
    before = await call(client, "extract", wrapper="books", pages=pages)
    assert values(before) == labels(BOOKS)
    fits = await call(client, "check", wrapper="books", pages=pages)
    redesign()
    drifted = await call(client, "check", wrapper="books", pages=pages)
    assert (fits["drift"], drifted["drift"]) == (False, True)
    repaired = await call(client, "repair", wrapper="books", pages=pages)
    assert (repaired["saved"], repaired["doubts"]) == (True, [])
    after = await call(client, "extract", wrapper="books", pages=pages)
    assert values(after) == labels(BOOKS)
    assert (await call(client, "check", wrapper="books", pages=pages))["drift"] is False


def test_an_agent_learns_a_site_by_http_and_repairs_its_wrapper_after_a_redesign(tmp_path):
    answers = old_site()
    with (
        Site(pages=answers) as site,
        http("--fetch", "any", "--wrappers", tmp_path / "kept", token=TOKEN) as url,
    ):

        async def talk():
            head = {"Authorization": f"Bearer {TOKEN}"}
            async with (
                AsyncClient(headers=head, timeout=60) as requests,
                Client(streamable_http_client(url, http_client=requests)) as client,
            ):
                await life_of_a_site(client, site, lambda: answers.update(new_site()))

        asyncio.run(talk())
    kept = rowen.load(tmp_path / "kept" / "books.json")
    page = new_site()["/one"].decode()
    assert [record.values for record in kept.extract(page)] == labels(SHELVES["/one"])


def test_a_table_of_a_folder_becomes_a_wrapper_without_a_label(tmp_path):
    for path, content in old_site().items():
        (tmp_path / f"{path[1:]}.html").write_bytes(content)

    async def talk(client):
        (table, *_) = (await call(client, "discover", pages=["."]))["tables"]
        titles = next(c["name"] for c in table["columns"] if "The Sea" in c["samples"])
        learned = await call(
            client, "learn", name="shop", pages=["."], table=table["table"], columns=[titles]
        )
        assert learned["fields"] == [titles]
        found = await call(client, "extract", wrapper="shop", pages=["one.html", "two.html"])
        (listed,) = (await client.list_resources()).resources
        (content,) = (await client.read_resource("rowen://wrappers/shop")).contents
        assert str(listed.uri) == "rowen://wrappers/shop"
        assert json.loads(content.text)["kind"] == "wrapper"
        return [record[titles] for record in values(found)]

    assert session(stdio(tmp_path), talk) == [title for title, *_ in BOOKS[:6]]


def test_a_paper_is_read_and_its_whole_text_is_a_resource(tmp_path):
    source = Path(rowen.__file__).parent / "samples" / "papers" / "jose.00050.pdf"
    (tmp_path / "a.pdf").write_bytes(source.read_bytes())

    async def talk(client):
        answer = await call(client, "read_paper", file="a.pdf")
        (content,) = (await client.read_resource(answer["resource"])).contents
        return answer, json.loads(content.text)

    answer, whole = session(stdio(tmp_path), talk)
    paper = rowen.read_paper(source)
    assert (answer["title"], len(answer["citations"])) == (paper.title, len(paper.citations))
    assert whole == json.loads(json.dumps(paper.to_dict()))


def test_without_permission_nothing_is_read_and_nothing_is_fetched(tmp_path):
    allowed, outside = tmp_path / "allowed", tmp_path / "outside"
    for folder in (allowed, outside):
        folder.mkdir()
        (folder / "page.html").write_bytes(old_site()["/one"])
    (allowed / "crawl").mkdir()
    (allowed / "crawl" / "page.html").symlink_to(outside / "page.html")
    (allowed / "link").symlink_to(outside)
    places = [
        str(outside / "page.html"),
        "../outside/page.html",
        "link/page.html",
        "crawl",
        "crawl/page.html",
        "/etc/passwd",
        "git:.@HEAD",
        "a\0b",
        "-",
    ]

    async def talk(client):
        said = [await refusal(client, "discover", pages=[place]) for place in places]
        said.append(await refusal(client, "read_paper", file=str(outside / "page.html")))
        return said, await refusal(client, "discover", pages=["http://127.0.0.1:1/a"])

    said, fetched = session(stdio(allowed), talk)
    assert all("that may be read" in text or "is a link out of" in text for text in said), said
    assert "not fetched" in fetched

    async def inline(client):
        page = {"id": "one", "text": old_site()["/one"].decode()}
        label = {"one": labels(SHELVES["/one"])}
        await call(client, "learn", name="books", pages=[page], labels=label)
        names = [await refusal(client, "learn", name=name, pages=[page], labels=label)
                 for name in ("../books", "", "a/b", ".hidden", "x" * 65)]  # fmt: skip
        reason = await refusal(
            client, "learn", name="b", pages=[page], labels={"one": [{"a": "zz"}]}
        )
        assert "'zz'" in reason
        assert "give either" in await refusal(client, "learn", name="b", pages=[page])
        with pytest.raises(MCPError):
            await client.read_resource("rowen://wrappers/none")
        return names, await refusal(client, "discover", pages=["page.html"])

    names, unread = session(stdio(), inline)
    assert all("can't be the name" in text for text in names)
    assert "none was allowed" in unread


def test_a_request_without_the_token_or_for_another_host_is_refused():
    async def statuses(url, *headers):
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
        accept = {"Accept": "application/json, text/event-stream"}
        async with AsyncClient() as client:
            answers = [
                await client.post(url, json=body, headers={**accept, **one}) for one in headers
            ]
        return [answer.status_code for answer in answers]

    good = {"Authorization": f"Bearer {TOKEN}"}
    with http(token=TOKEN) as url:
        codes = asyncio.run(
            statuses(
                url, {}, {"Authorization": "Bearer no"}, {**good, "Host": "evil.example:80"},
                {**good, "Origin": "https://evil.example"}
            )
        )  # fmt: skip
    assert codes == [401, 401, 421, 403]
    for arguments, own in (
        (["--host", "0.0.0.0"], {}),
        ([], {"ROWEN_MCP_TOKEN": "short"}),
    ):
        refused = subprocess.run(
            [sys.executable, "-m", "rowen", "mcp", "--http", "--port", "0", *arguments],
            capture_output=True,
            text=True,
            env={**os.environ, **own},
            check=False,
        )
        assert refused.returncode == 2
        assert "ROWEN_MCP_TOKEN" in refused.stderr


def test_papers_of_a_library_are_searched_and_read(tmp_path):
    data, paper = tmp_path / "data", Path(rowen.__file__).parent / "samples" / "papers"
    command = [sys.executable, "-m", "rowen", "library", "import", paper, "--data", data]
    subprocess.run(command, check=True, capture_output=True)

    async def talk(client):
        tools = {tool.name for tool in (await client.list_tools()).tools}
        everything = await call(client, "search_library")
        none = await call(client, "search_library", query="xylophone -title:a", limit=3)
        wrong = await refusal(client, "search_library", cursor="nonsense")
        (first, *_) = everything["papers"]
        word = first["title"].split()[-1]
        found = await call(client, "search_library", query=f"title:{word}", years=[first["year"]])
        whole = json.loads((await client.read_resource(first["resource"])).contents[0].text)
        with pytest.raises(MCPError):
            await client.read_resource("rowen://library/nothing")
        return tools, everything, none, wrong, found, whole

    tools, everything, none, wrong, found, whole = session(stdio("--library", data), talk)
    assert "search_library" in tools
    assert everything["total"] == len(everything["papers"]) > 0
    assert (none["papers"], none["next"]) == ([], None)
    assert "the cursor is damaged" in wrong
    assert everything["papers"][0] in found["papers"]
    assert whole["citations"]
    assert len(whole["text"]) > 1000


def test_without_a_library_there_is_no_tool_for_it(tmp_path):
    async def talk(client):
        return {tool.name for tool in (await client.list_tools()).tools}

    assert "search_library" not in session(stdio(), talk)
    command = [sys.executable, "-m", "rowen", "mcp", "--library", tmp_path / "none"]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 4
    assert done.stderr.startswith("rowen: ")
    assert "has no library" in done.stderr
