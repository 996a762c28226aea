"""200 papers are dropped, the tab is closed, the service is killed: all come in, each once."""

import base64
import re
import signal
import time

import httpx
import pytest
from small_papers import paper, title_of

PAPERS = 200


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("papers")
    for number in range(PAPERS):
        (folder / f"paper{number}.pdf").write_bytes(paper(number, cites=[number + 1]))
    return folder


DROP = """(files) => {
    const transfer = new DataTransfer();
    for (const [name, content] of files) {
        const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
        transfer.items.add(new File([bytes], name, { type: "application/pdf" }));
    }
    document.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true }));
}"""


def ready(server):
    return httpx.get(f"{server.url}/library/queue", timeout=60).json()["ready"]


def wait_for(server, number):
    end = time.monotonic() + 300
    while ready(server) < number:
        assert time.monotonic() < end
        time.sleep(0.05)


def test_dropped_papers_outlast_a_closed_tab_and_a_killed_service(
    start, open_library, files, tmp_path
):
    data = tmp_path / "data"
    server = start(data)
    port = server.address[1]
    context, window = open_library(server.url)
    dropped = [
        [file.name, base64.b64encode(file.read_bytes()).decode()]
        for file in sorted(files.iterdir())
    ]
    window.evaluate(DROP, dropped)
    wait_for(server, 30)
    window.close()
    wait_for(server, 100)
    server.process.send_signal(signal.SIGKILL)
    server.process.wait()

    again = start(data, port=port)  # at the same address: what the browser keeps belongs to it
    window = context.new_page()
    window.goto(f"{again.url}/library")
    window.wait_for_selector("table.catalogue")
    wait_for(again, PAPERS)
    window.wait_for_function(
        "() => document.querySelector('.results .quiet').textContent.startsWith('200 ')"
    )
    state = httpx.get(f"{again.url}/library/queue").json()
    assert (state["waiting"], state["failed"], state["ready"]) == (0, 0, PAPERS)

    window.fill("#query", 'title:"number 137"')
    window.wait_for_function(
        "() => document.querySelectorAll('table.catalogue tbody tr').length === 1"
    )
    assert window.inner_text("th.title a") == title_of(137)
    window.fill("#query", "")
    window.wait_for_function(
        "() => document.querySelectorAll('table.catalogue tbody tr').length >= 100"
    )
    window.focus("th.title a")
    window.keyboard.press("*")
    window.wait_for_selector("text=All 200 selected")
    with window.expect_download() as download:
        window.click("[data-key=export]")
    exported = download.value.path().read_text("utf-8")
    titles = re.findall(r"title = \{(.+)\}", exported)
    assert len(titles) == PAPERS
    assert sorted(titles) == sorted(title_of(number) for number in range(PAPERS))
    documents = httpx.get(f"{again.url}/library", params={"limit": 500}).json()["items"]
    assert len({item["id"] for item in documents}) == PAPERS


def test_what_a_closed_tab_had_not_sent_is_sent_when_it_is_opened_again(start, open_library, files):
    """The tab is closed while it sends: the browser has kept the rest."""
    server = start()
    context, window = open_library(server.url)
    first, *others = sorted(files.iterdir())[:12]
    window.route(
        "**/library",
        lambda route: route.abort() if route.request.method == "POST" else route.continue_(),
    )
    dropped = [
        [file.name, base64.b64encode(file.read_bytes()).decode()] for file in (first, *others)
    ]
    window.evaluate(DROP, dropped)
    window.wait_for_selector("text=12 papers to go")
    window.wait_for_selector("text=Sending waits")
    window.close()
    assert ready(server) == 0
    window = context.new_page()
    window.goto(f"{server.url}/library")
    wait_for(server, 12)
    window.wait_for_function(
        "() => document.querySelectorAll('table.catalogue tbody tr').length === 12"
    )
