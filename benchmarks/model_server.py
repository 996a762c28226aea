"""A server in the protocol of language models that knows the labels of pages, and errs at a rate.

It stands for a model whose mistakes are known: it misses values, invents values that are not on the
page, and gives other texts of the page.
"""

import json
import random
from collections.abc import Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from types import TracebackType
from typing import Any, Self

Record = Mapping[str, str | None]


class ModelServer:
    """Answers with the records of the page that it is asked about; `questions` has what was asked.

    A page is known by its text as the model sees it. At a `rate`, each value is missing, invented,
    or another text of the page, and a third as often a whole record is missing.
    """

    def __init__(
        self, known: Mapping[str, Sequence[Record]], *, rate: float = 0.0, seed: str = ""
    ) -> None:
        self.questions: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.answers: list[tuple[int, bytes]] = []
        """Answers to give first, instead of records: status and body."""
        self._chance = random.Random(seed)
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                question = json.loads(body)
                server.questions.append(question)
                server.headers.append(dict(self.headers))
                if server.answers:
                    status, content = server.answers.pop(0)
                else:
                    text = question["messages"][-1]["content"]
                    status = 200
                    content = _wrapped(server.mistaken(text, known.get(text, ()), rate), len(body))
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(content)))
                if status in {301, 302, 307, 308}:
                    self.send_header("Location", "/v1/elsewhere")
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"

    def mistaken(self, text: str, records: Sequence[Record], rate: float) -> list[dict[str, Any]]:
        """The records with mistakes."""
        kept = [record for record in records if self._chance.random() >= rate / 3]
        return [
            {
                name: self._mistake(text) if self._chance.random() < rate else value
                for name, value in record.items()
            }
            for record in kept
        ]

    def _mistake(self, text: str) -> str | None:
        kind = self._chance.randrange(3)
        if kind == 0:
            return None
        if kind == 1:
            return "".join(self._chance.choices("qxzjvk", k=12))
        words = text.split()
        start = self._chance.randrange(max(1, len(words)))
        return " ".join(words[start : start + self._chance.randint(1, 3)])

    def __enter__(self) -> Self:
        self._thread = Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def _wrapped(records: list[dict[str, Any]], size: int) -> bytes:
    content = json.dumps({"records": records})
    return json.dumps(
        {
            "choices": [{"message": {"role": "assistant", "content": content}}],
            "usage": {"total_tokens": (size + len(content)) // 4},
        }
    ).encode()
