"""Whatever a page has in it: shown in the studio it runs, loads, submits and leaves nothing."""

import socket
import threading
from contextlib import suppress

import pytest
from payloads import PAYLOADS, payloads

SHOW = """
async (name) => {
  const url = `/studio/api/projects/hostile/pages/${encodeURIComponent(name)}`;
  const [view, text] = await Promise.all(
    ["view", "source"].map((what) => fetch(`${url}/${what}`).then((one) => one.json())));
  await page.show(view);
  await source.show(text);
  page.setMarks([{ id: "0", start: 0, end: text.text.length, color: 0, kind: "mark" }]);
}
"""
PROVOKE = r"""
() => {
  const page = frame.contentDocument;
  const events = ["mouseover", "mousedown", "mouseup", "click", "dblclick", "auxclick", "focus",
    "focusin", "keydown", "input", "change", "submit", "toggle", "load", "error", "animationstart",
    "animationend", "transitionend", "slotchange", "scroll", "pointerdown", "beforetoggle"];
  for (const element of [...page.querySelectorAll("*")].slice(0, 200)) {
    for (const name of events) {
      const options = { bubbles: true, cancelable: true };
      const kind = /mouse|click/.test(name) ? "MouseEvent" : "Event";
      element.dispatchEvent(new frame.contentWindow[kind](name, options));
    }
    element.focus?.();
    element.click?.();
    element.requestSubmit?.();
  }
  // Images are data, and an address in an SVG is that of another element of the same page.
  const isHarmless = ({ name, value }) =>
    (name === "src" && /^data:image\//.test(value)) || (name === "href" && /^#/.test(value));
  return [...page.querySelectorAll("*")].flatMap((element) => [...element.attributes])
    .filter(({ name }) => /^on|href|src|action|ping|srcdoc|^name$/i.test(name))
    .filter(({ name }) => !/^(data|aria)-/.test(name))
    .filter((attribute) => !isHarmless(attribute)).map(({ name }) => name);
}
"""


class Trap:
    """A server that nobody should talk to."""

    def __init__(self):
        self.calls = []
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.socket.getsockname()[1]}/trap"
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self):
        with suppress(OSError):  # closed
            while True:
                caller, _ = self.socket.accept()
                with caller:
                    self.calls.append(caller.recv(1000))


@pytest.fixture
def trap():
    trap = Trap()
    yield trap
    trap.socket.close()


@pytest.fixture
def watched(lone_viewer):
    """A viewer, and all that happens in its browser from now on."""
    happened = []
    viewer = lone_viewer
    window = viewer.window

    def dismiss(dialog):
        happened.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    window.on("dialog", dismiss)
    window.on("console", lambda message: happened.append(f"console: {message.text}"))
    window.on("pageerror", lambda error: happened.append(f"error: {error}"))
    window.on("request", lambda request: happened.append(f"request: {request.url}"))
    window.on("download", lambda download: happened.append(f"download: {download.url}"))
    window.on("websocket", lambda websocket: happened.append(f"socket: {websocket.url}"))
    window.on("worker", lambda worker: happened.append(f"worker: {worker.url}"))
    window.on("framenavigated", lambda frame: happened.append(f"navigation: {frame.url}"))
    window.on("frameattached", lambda frame: happened.append(f"frame: {frame.url}"))
    window.context.on("page", lambda page: happened.append(f"window: {page.url}"))
    viewer.run("() => { window.messages = []; onmessage = (one) => messages.push(one.data); }")
    return viewer, happened


def test_there_are_payloads_enough():
    assert len(PAYLOADS) >= 100


def test_hostile_pages_run_load_submit_and_leave_nothing(watched, trap, server):
    viewer, happened = watched
    api = f"{server.url}/studio/api/projects/hostile/"
    assert server.client.post("/studio/api/projects", json={"name": "hostile"}).status_code == 201
    offences = {}
    # The service itself is as forbidden to them as any other address.
    for name, page in payloads(trap.url).items():
        for kind, text in (("", page), (" to us", page.replace(trap.url, f"{server.url}/trap"))):
            file = f"{name}{kind}.html"
            answer = server.client.post(
                "/studio/api/projects/hostile/pages", params={"page": file}, content=text.encode()
            )
            assert answer.status_code == 201, answer.text
            viewer.run(SHOW, answer.json()["added"])
            risky = viewer.run(PROVOKE)
            viewer.window.mouse.click(20, 20)
            viewer.window.mouse.click(60, 30, button="middle")
            viewer.window.keyboard.press("Enter")
            viewer.window.keyboard.press("Tab")
            events = [what for what in happened if not what.startswith(f"request: {api}")]
            if events or risky:
                offences[file] = events + risky
            happened.clear()
    viewer.window.wait_for_timeout(1500)
    assert offences == {}
    assert [what for what in happened if not what.startswith(f"request: {api}")] == []
    assert trap.calls == []
    assert viewer.run("[window.hits, frame.contentWindow.hits, messages, localStorage.length]") == [
        *(None, None),
        *([], 0),
    ]
    assert viewer.run("document.cookie") == ""
    assert viewer.window.url == f"{server.url}/studio/static/harness.html"
    assert "/trap" not in server.log.read_text()


def test_without_the_view_such_pages_do_harm(chromium, server, trap):
    window = chromium.new_page()
    pages = {name: page.replace("alert(1);", "") for name, page in payloads(trap.url).items()}
    for name in ("script", "image onerror", "svg onload", "image", "style url", "frame source"):
        window.goto(f"{server.url}/metrics")
        with window.expect_request(f"{trap.url}**", timeout=20_000):
            window.set_content(pages[name], wait_until="commit")
    assert trap.calls
    window.close()


def test_the_frame_stops_what_slips_through_the_view(watched, trap):
    viewer, happened = watched
    hit = payloads(trap.url)["script"].removeprefix("<script>").removesuffix("</script>")
    source = {"src": trap.url, "onerror": hit, "onload": hit}
    tree = [
        *("body", {"onload": hit, "background": trap.url}),
        ["script", {}, {"x": hit, "m": []}],
        *(["script", source], ["img", source], ["video", source], ["embed", source]),
        *(["iframe", source], ["iframe", {"srcdoc": f"<script>{hit}</script>"}]),
        ["object", {"data": trap.url}],
        ["link", {"rel": "stylesheet", "href": trap.url}],
        ["meta", {"http-equiv": "refresh", "content": f"0;url={trap.url}"}],
        ["a", {"href": f"javascript:{hit}"}, {"x": "x", "m": []}],
        ["a", {"href": trap.url, "target": "_top", "ping": trap.url}, {"x": "x", "m": []}],
        ["form", {"action": trap.url, "target": "_top"}, ["button", {}, {"x": "x", "m": []}]],
        ["p", {"onclick": hit, "style": f"background:url({trap.url})"}, {"x": "x", "m": []}],
    ]
    css = f"@import '{trap.url}'; @font-face{{font-family:a;src:url({trap.url})}}"
    styles = [{"css": f"{css} *{{background:url({trap.url});font-family:a}}", "media": ""}]
    files = [trap.url, f"data:text/html,<script>{hit}</script>"]
    tree += [["img", {"src": "rowen-file:0"}], ["img", {"src": "rowen-file:1"}]]
    view = {
        "page": "x",
        "title": "",
        "styles": styles,
        "tree": tree,
        "files": files,
        "root": source,
    }
    viewer.run("(view) => page.show(view)", view)
    viewer.run(PROVOKE)
    viewer.window.wait_for_timeout(500)
    assert trap.calls == []
    assert viewer.run("[window.hits, messages]") == [None, []]
    assert not [what for what in happened if what.startswith(("dialog", "window", "download"))]


def test_no_style_of_a_page_hides_marks_or_forbids_to_select(viewer):
    viewer.show(f"<p id=p>text</p>{PAYLOADS['highlights hidden']}")
    script = """() => {
      const style = (what) => frame.contentWindow.getComputedStyle(
        frame.contentDocument.getElementById("p"), what);
      return [style("::highlight(rowen-mark-0)").backgroundColor, style(null).userSelect,
        style("::highlight(rowen-mark-0)").color];
    }"""
    assert viewer.run(script) == ["rgb(255, 223, 128)", "text", "rgb(21, 24, 28)"]


def hostile_capture(trap):
    """An MHTML file whose style sheets and images are not what they say, or load others."""
    hit = f"<script>top.hits=1;fetch('{trap}')</script>"
    drawing = f"<svg xmlns='http://www.w3.org/2000/svg' onload='top.hits=1'>{hit}"
    parts = {
        ("https://e.org/", "text/html"): (
            "<link rel=stylesheet href=a.css><link rel=stylesheet href=b.css>"
            "<link rel=stylesheet href=page.css><img src=a.svg><img src=page.png><p>Text"
        ),
        ("https://e.org/a.css", "text/css"): (
            f"@import '{trap}'; @import 'b.css'; @import 'a.css'; p{{background:url(a.svg)}}"
            f"p::before{{content:url({trap})}} @font-face{{font-family:a;src:url(page.woff)}}"
        ),
        ("https://e.org/b.css", "text/css"): f"@import 'a.css';*{{cursor:u\\72l({trap}),auto}}",
        ("https://e.org/page.css", "text/css"): f"<html>{hit}",
        ("https://e.org/page.png", "image/png"): f"<html>{hit}",
        ("https://e.org/page.woff", "font/woff"): f"<html>{hit}",
        ("https://e.org/a.svg", "image/svg+xml"): f"{drawing}<image href='{trap}'/></svg>",
    }
    body = "".join(
        f"--b\r\nContent-Type: {kind}\r\nContent-Location: {url}\r\n\r\n{content}\r\n"
        for (url, kind), content in parts.items()
    )
    head = 'MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary="b"\r\n\r\n'
    return f"{head}{body}--b--\r\n".encode()


def test_the_files_of_a_hostile_capture_run_and_load_nothing(watched, trap, server):
    viewer, happened = watched
    server.client.post("/studio/api/projects", json={"name": "captured"})
    api = "/studio/api/projects/captured/pages"
    answer = server.client.post(api, params={"page": "a.mhtml"}, content=hostile_capture(trap.url))
    assert answer.status_code == 201, answer.text
    view = server.client.get(f"{api}/a.html/view").json()
    assert [file.partition(";")[0] for file in view["files"]] == ["data:image/svg+xml"]
    viewer.run("(view) => page.show(view)", view)
    viewer.run(PROVOKE)
    viewer.window.wait_for_timeout(500)
    assert trap.calls == []
    assert happened == []
    assert viewer.run("[window.hits, messages]") == [None, []]
