"""Pages as browsers and crawlers save them, with their style sheets and images.

The sites are those of `tests/pages`. They lack files of their own, so each gets a style sheet that
imports another one, a font, and an image for each address that it mentions; Chromium loads them as
if they came from the network.
"""

import base64
import re
import struct
import zlib
from contextlib import suppress
from dataclasses import dataclass
from email import message_from_bytes
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import urljoin

PAGES = Path(__file__).parents[1] / "pages"
SHEET = """@import url("parts/colours.css") screen;
@import "parts/print.css" print;
body { background: #f6f1e7 url(tile.png) repeat-y right; }
h1 { color: rgb(1, 90, 60); font-family: "Saved", serif; }
h1::after { content: url('mark.png'); margin-left: .3em; }
@font-face { font-family: Saved; src: url(saved.woff2) format("woff2"); }
"""
COLOURS = "a { color: rgb(150, 20, 90); } th, dt { background: rgb(230, 240, 250); }"


def png(colour, width=48, height=48):
    """An image of one colour."""
    row = b"\0" + bytes(colour) * width
    parts = [
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)),
        (b"IDAT", zlib.compress(row * height)),
        (b"IEND", b""),
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in parts
    )


def answer(url):
    """Type and content of a file of any of the sites."""
    path = url.partition("?")[0]
    if "/parts/" in path:
        return "text/css", COLOURS.encode()
    if path.endswith(".css"):
        return "text/css", SHEET.encode()
    if path.endswith(".woff2"):
        return "font/woff2", b"wOF2 but no font"
    if path.endswith("mark.png"):
        return "image/png", png((20, 120, 60), 12, 12)
    if path.endswith(".svg"):
        return "image/svg+xml", b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 1"/>'
    seed = zlib.crc32(url.encode())
    return "image/png", png((seed & 255, seed >> 8 & 255, seed >> 16 & 255), 320, 240)


@dataclass(frozen=True)
class Saved:
    """A page of a site as Chromium saved it: MHTML, and what is in it."""

    name: str
    url: str
    mhtml: bytes

    @property
    def parts(self):
        """All files by address, the page first: type and content."""
        parts = {}
        for part in message_from_bytes(self.mhtml).walk():
            if not part.is_multipart():
                content = part.get_payload(decode=True)
                parts.setdefault(part["Content-Location"], (part.get_content_type(), content))
        return parts

    @property
    def html(self):
        return next(iter(self.parts.values()))[1].decode()

    def complete(self, folder):
        """Save the page and its files as "Web page, complete" does; returns the page's path."""
        files = folder / f"{self.name}_files"
        files.mkdir(parents=True)
        names = {
            url: f"./{files.name}/{number}{_suffix(kind)}"
            for number, (url, (kind, _)) in enumerate(self.parts.items())
        }
        for url, (kind, content) in self.parts.items():
            beside = {address: Path(name).name for address, name in names.items()}
            is_sheet = kind == "text/css"
            data = _rewritten(content.decode(), url, beside).encode() if is_sheet else content
            (folder / names[url]).write_bytes(data)
        page = folder / f"{self.name}.html"
        page.write_text(_rewritten(self.html, self.url, names), "utf-8")
        return page

    def single(self, path):
        """Save all of it in one page of `data:` URLs, as SingleFile does."""
        urls = {}
        for _ in range(3):  # style sheets that import others
            for url, (kind, content) in reversed(self.parts.items()):
                is_sheet = kind == "text/css"
                data = _rewritten(content.decode(), url, urls).encode() if is_sheet else content
                urls[url] = f"data:{kind};base64,{base64.b64encode(data).decode()}"
        path.write_text(_rewritten(self.html, self.url, urls), "utf-8")
        return path

    def archive(self, path):
        """Save it as a WARC archive."""
        records = []
        for url, (kind, content) in self.parts.items():
            head = f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\n\r\n".encode()
            block = head + content
            records.append(
                f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\n"
                f"WARC-Record-ID: <urn:uuid:{len(records):032x}>\r\n"
                "Content-Type: application/http; msgtype=response\r\n"
                f"Content-Length: {len(block)}\r\n\r\n".encode()
                + block
                + b"\r\n\r\n"
            )
        path.write_bytes(b"".join(records))
        return path


def save(browser, name, *, page="p1"):
    """Open a page of `tests/pages` with all its files and save it; also a picture."""
    source = (PAGES / name / f"{page}.html").read_text("utf-8")
    link = '<link rel="stylesheet" href="../css/site.css"><img src="../img/logo.png" alt="Logo">'
    source = source.replace("</body>", f"{link}</body>")
    # What scripts do when a page is opened is done when it is saved.
    source = re.sub(r"(?s)<script(?![^>]*json).*?</script>|<base [^>]*>", "", source)
    source = re.sub(r"(?:https?:)?//[\w.-]+\.example(?=/)", "", source)
    context = browser.new_context(viewport={"width": 1000, "height": 800})
    with _Site(source) as url:
        window = context.new_page()
        window.goto(url)
        window.wait_for_load_state("networkidle")
        protocol = context.new_cdp_session(window)
        mhtml = protocol.send("Page.captureSnapshot", {"format": "mhtml"})["data"].encode()
        picture = window.screenshot()
    context.close()
    return Saved(name, url, mhtml), picture


class _Site:
    """A site of one page on this machine, with a file at every other address."""

    def __init__(self, source):
        class Handler(BaseHTTPRequestHandler):
            def do_GET(handler):  # noqa: N805
                is_page = handler.path == "/a/page.html"
                kind, content = ("text/html", source.encode()) if is_page else answer(handler.path)
                handler.send_response(200)
                handler.send_header("Content-Type", f"{kind}; charset=utf-8")
                handler.send_header("Content-Length", str(len(content)))
                handler.end_headers()
                with suppress(ConnectionError):
                    handler.wfile.write(content)

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True

    def __enter__(self):
        Thread(target=self._server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{self._server.server_port}/a/page.html"

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()


def _suffix(kind):
    return {"text/css": ".css", "text/html": ".html", "image/svg+xml": ".svg"}.get(kind, ".png")


_ADDRESS = re.compile(
    r"""(?P<before>(?:src|href)=["']|url\(["']?|@import ["']|srcset=["'])(?P<address>[^"')\s]+)"""
)


def _rewritten(text, base, names):
    def rewrite(match):
        address = match["address"].replace("&amp;", "&")
        return match["before"] + names.get(urljoin(base, address), match["address"])

    return _ADDRESS.sub(rewrite, text)
