"""Signing in, roles, and a service below a prefix."""

import re
import threading
from contextlib import ExitStack
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx
import pytest
from playwright.sync_api import expect

from rowen.service.sessions import Sessions
from rowen.service.tokens import add_token, remove_token

PAPER = {"Content-Type": "text/plain"}


@pytest.fixture(scope="module")
def guarded(tmp_path_factory):
    from serving import Server

    folder = tmp_path_factory.mktemp("access")
    tokens = folder / "tokens.json"
    secrets = {
        "editor": add_token(tokens, "one", name="editor"),
        "reader": add_token(tokens, "one", name="reader", reader=True),
        "operator": add_token(tokens, "one", name="operator", operator=True),
    }
    server = Server(folder / "data", auth=tokens)
    server.secrets, server.tokens = secrets, tokens
    yield server
    assert server.end() == 0, server.log.read_text()


@pytest.fixture
def signed_in():
    """Signs in: a client with the cookie, the CSRF token, and the response."""
    with ExitStack() as opened:

        def begin(server, role):
            client = opened.enter_context(httpx.Client(base_url=server.url, timeout=60))
            answer = client.post("/session", json={"token": server.secrets[role]})
            assert answer.status_code == 200, answer.text
            return client, answer.json()["csrf"], answer

        yield begin


def test_a_session_is_a_cookie_that_no_script_and_no_other_site_gets_at(guarded, signed_in):
    client, csrf, answer = signed_in(guarded, "editor")
    cookie = answer.headers["Set-Cookie"]
    assert all(part in cookie for part in ("HttpOnly", "SameSite=strict", "Path=/"))
    assert guarded.secrets["editor"] not in cookie
    assert answer.json() == {"signed_in": True, "tenant": "one", "role": "editor", "csrf": csrf}
    assert client.get("/extractors").status_code == 200
    assert guarded.get("/extractors").status_code == 401
    assert client.get("/session").json()["csrf"] == csrf
    answer = client.delete("/session", headers={"Rowen-CSRF": csrf})
    assert answer.status_code == 204
    assert client.get("/extractors").status_code == 401


def test_a_write_with_the_cookie_alone_is_refused(guarded, signed_in):
    client, csrf, _ = signed_in(guarded, "editor")
    assert client.post("/", content=b"a text").status_code == 403
    assert (
        client.post("/", content=b"a text", headers={"Rowen-CSRF": csrf[:-1] + "x"}).status_code
        == 403
    )
    _other, foreign, _ = signed_in(guarded, "reader")
    assert client.post("/", content=b"a text", headers={"Rowen-CSRF": foreign}).status_code == 403
    answer = client.post("/", content=b"a text", headers={"Rowen-CSRF": csrf})
    assert answer.status_code == 201
    cross = {"Rowen-CSRF": csrf, "Sec-Fetch-Site": "cross-site"}
    assert client.post("/", content=b"a text", headers=cross).status_code == 403


def test_a_forged_cookie_is_refused(guarded, signed_in):
    client, _, _ = signed_in(guarded, "editor")
    cookie = client.cookies["rowen_session"]
    digest, expires, signature = cookie.split(".")
    other = "0" if signature[0] != "0" else "1"
    for forged in (
        f"{digest}.{int(expires) + 1}.{signature}",
        f"{'0' * 64}.{expires}.{signature}",
        f"{digest}.{expires}.{other}{signature[1:]}",
        "",
        "..",
        "a.b",
        "\u00e9".encode().decode("latin-1"),
    ):
        headers = {"Cookie": f"rowen_session={forged}".encode("latin-1")}
        assert httpx.get(f"{guarded.url}/extractors", headers=headers).status_code == 401, forged


def test_a_session_ends_with_its_time_and_with_its_token(tmp_path, monkeypatch, start):
    sessions = Sessions(tmp_path / "data")
    cookie = sessions.cookie("0" * 64)
    assert Sessions(tmp_path / "data").digest(cookie) == "0" * 64  # after a restart
    assert (tmp_path / "data" / "session.key").stat().st_mode & 0o077 == 0
    monkeypatch.setattr("rowen.service.sessions.time", lambda: 10**11)
    assert sessions.digest(cookie) is None
    tokens = tmp_path / "tokens.json"
    secret = add_token(tokens, "one", name="gone")
    add_token(tokens, "one", name="stays")
    server = start(auth=tokens)
    with httpx.Client(base_url=server.url) as client:
        assert client.post("/session", json={"token": secret}).status_code == 200
        remove_token(tokens, "gone")
        for _ in range(40):
            if client.get("/extractors").status_code == 401:
                break
            threading.Event().wait(0.1)
        assert client.get("/extractors").status_code == 401


def test_a_reader_reads_and_writes_nothing(guarded):
    editor = {"Authorization": f"Bearer {guarded.secrets['editor']}"}
    reader = {"Authorization": f"Bearer {guarded.secrets['reader']}"}
    added = guarded.client.post("/?output=json", content=b"some text", headers=editor).json()
    assert guarded.get(f"/{added['id']}/text", headers=reader).status_code == 200
    writes = (
        ("POST", "/"), ("DELETE", f"/{added['id']}"), ("PUT", "/extractors/x"),
        ("POST", "/studio/api/projects"), ("POST", "/home/api/samples/pages"),
        ("POST", "/home/api/stores"),
    )  # fmt: skip
    for method, path in writes:
        answer = guarded.client.request(method, path, content=b"{}", headers=reader)
        assert (answer.status_code, answer.json()["detail"]) == (
            403,
            "this access token may only read",
        )
    operator = {"Authorization": f"Bearer {guarded.secrets['operator']}"}
    assert guarded.get("/home/api/status", headers=operator).status_code == 200
    assert guarded.get("/home/api/status", headers=editor).status_code == 403


def test_wrong_tokens_are_counted_and_refused(guarded):
    for wrong in ("", "wrong", "a b", "\u00e9"):
        answer = guarded.client.post("/session", json={"token": wrong})
        assert answer.status_code == 401, wrong
    assert guarded.client.post("/session", json={}).status_code == 422


def test_a_person_signs_in_and_out(guarded, open_window):
    window = open_window(guarded.url).window
    window.goto(guarded.url)
    window.fill("#token", "wrong")
    window.press("#token", "Enter")
    expect(window.locator(".sign-in [role=alert]")).to_contain_text("unknown access token")
    window.fill("#token", guarded.secrets["editor"])
    window.press("#token", "Enter")
    expect(window.locator("#account")).to_contain_text("one, editor")
    stored = window.evaluate(
        "() => [document.cookie, JSON.stringify({...sessionStorage, ...localStorage})].join('')"
    )
    assert guarded.secrets["editor"] not in stored
    assert "rowen_session" not in stored
    window.click("[data-key=sample]")  # a write
    expect(window.locator("#title")).to_have_text("children.html")
    window.click("[data-key=place-library]")
    expect(window.locator("#account")).to_contain_text("one, editor")
    expect(window.locator(".state.failed")).to_have_count(0)
    window.click("[data-key=place-home]")
    window.get_by_role("button", name="Sign out").click()
    expect(window.locator("#token")).to_be_visible()


class Proxy(BaseHTTPRequestHandler):
    """A reverse proxy at /tools/rowen/; `target` and whether it removes the prefix are set."""

    protocol_version = "HTTP/1.0"
    target = ""
    removes = True

    def pass_on(self):
        path = self.path
        assert path.startswith("/tools/rowen"), path
        path = path.removeprefix("/tools/rowen") if self.removes else path
        length = int(self.headers.get("Content-Length", 0))
        headers = {name: value for name, value in self.headers.items() if name != "Connection"}
        headers["X-Forwarded-Proto"] = "http"
        with (
            httpx.Client(timeout=60) as client,
            client.stream(
                self.command,
                f"{self.target}{path or '/'}",
                headers=headers,
                content=self.rfile.read(length),
            ) as answer,
        ):
            self.send_response(answer.status_code)
            for name, value in answer.headers.multi_items():
                if name not in (
                    "content-length",
                    "transfer-encoding",
                    "connection",
                    "content-encoding",
                ):
                    self.send_header(name, value)
            self.end_headers()
            for chunk in answer.iter_bytes():
                self.wfile.write(chunk)
                self.wfile.flush()

    do_GET = do_POST = do_DELETE = do_PUT = do_PATCH = do_HEAD = pass_on  # noqa: N815

    def log_message(self, *_):
        """Say nothing."""


@pytest.mark.parametrize("removes", [True, False])
def test_everything_works_below_a_prefix_behind_a_proxy(start, open_window, tmp_path, removes):
    tokens = tmp_path / "tokens.json"
    secret = add_token(tokens, "one")
    server = start(auth=tokens, prefix="/tools/rowen")
    handler = type("Handler", (Proxy,), {"target": server.url, "removes": removes})
    proxy = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    proxy.daemon_threads = True
    threading.Thread(target=proxy.serve_forever, daemon=True).start()
    origin = f"http://127.0.0.1:{proxy.server_port}"
    base = f"{origin}/tools/rowen"
    try:
        token = {"Authorization": f"Bearer {secret}"}
        added = httpx.post(f"{base}/?output=json", content=b"a text", headers=token)
        document = added.json()
        assert added.headers["Location"] == f"/tools/rowen/{document['id']}"
        assert document["uri"] == f"{base}/{document['id']}"
        assert httpx.get(document["uris"]["text"], headers=token).text == "a text"
        if not removes:
            assert httpx.get(base).headers["Location"] == "/tools/rowen/"
        assert httpx.get(f"{base}/openapi.json").json()["servers"] == [{"url": "/tools/rowen"}]
        window = open_window(base).window
        window.goto(f"{base}/")
        window.fill("#token", secret)
        window.press("#token", "Enter")
        expect(window.locator("#account")).to_contain_text("one, editor")
        (cookie,) = window.context.cookies()
        assert (cookie["path"], cookie["httpOnly"]) == ("/tools/rowen/", True)
        window.click("[data-key=sample]")
        expect(window.locator("#title")).to_have_text("children.html")
        expect(window).to_have_url(re.compile("/tools/rowen/studio#"))
        for place in ("library", "extractors", "operations", "home"):
            window.click(f"[data-key=place-{place}]")
            expect(window.locator(f"[data-key=place-{place}][aria-current=page]")).to_be_visible()
            expect(window.locator(".state.failed")).to_have_count(0)
    finally:
        proxy.shutdown()
        proxy.server_close()
