"""A small site to fetch pages from."""

import gzip
import time
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

PAGE = "<!doctype html><title>Café</title><p>One page with a price: 12 €</p>"
HTML = {"Content-Type": "text/html; charset=utf-8"}
ANSWERS = {
    "/western": (200, {"Content-Type": "text/html; charset=windows-1252"}, PAGE.encode("cp1252")),
    "/misdeclared": (200, HTML, f'<meta charset="shift_jis">{PAGE}'.encode()),
    "/moved": (302, {"Location": "/a/page.html?id=3"}, b""),
    "/circle": (301, {"Location": "/circle"}, b""),
    "/bomb": (200, {**HTML, "Content-Encoding": "gzip"}, None),
    "/paper.pdf": (200, {"Content-Type": "application/pdf"}, b"%PDF-1.7\n" + bytes(range(256))),
    "/none": (404, HTML, b"no"),
}


class Site:
    """Answers on this machine as long as the context lasts; `asked` has what was asked for.

    `/elsewhere?URL` sends on to that address, `/slow` takes its time, all others are one page, but
    for those that are given: bodies, or pairs of headers and a body.
    """

    def __init__(self, host="127.0.0.1", pages=None):
        self.requests = []
        pages = pages or {}

        class Handler(BaseHTTPRequestHandler):
            def do_GET(handler):  # noqa: N805
                self.requests.append((handler.path, dict(handler.headers)))
                path, _, query = handler.path.partition("?")
                if path == "/slow":
                    time.sleep(3)
                response = pages.get(path, PAGE.encode())
                own = (200, HTML, response) if isinstance(response, bytes) else (200, *response)
                status, headers, body = ANSWERS.get(path, own)
                if path == "/bomb":  # takes a second to make, so not while this file is read
                    body = gzip.compress(bytes(200_000_000), 1)
                if path == "/elsewhere":
                    status, headers = 302, {"Location": query}
                handler.send_response(status)
                for name, value in {**headers, "Content-Length": str(len(body))}.items():
                    handler.send_header(name, value)
                handler.end_headers()
                with suppress(ConnectionError):  # whoever has seen enough hangs up
                    handler.wfile.write(body)

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer((host, 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://{host}:{self._server.server_port}"

    def __enter__(self):
        Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()
