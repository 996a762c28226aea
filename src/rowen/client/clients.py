"""The clients: one blocks, one is for asyncio."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, BinaryIO, ClassVar, Concatenate, ParamSpec, Self, TypeVar

from rowen.client.answers import Reply
from rowen.client.calls import Calls
from rowen.client.conversation import Call, Lost, Outcome, Patience, Request, converse
from rowen.model.errors import UsageError
from rowen.model.extras import needs

SENT_CHUNK_BYTES = 1024 * 1024
"""Limit: how much of a document is in memory while it is sent."""


CLIENT_SECONDS = 300.0
"""Limit: how long a client waits for a response. A long paper on a busy service takes minutes."""

CLIENT_CONNECT_SECONDS = 10.0
"""Limit: how long it waits for a connection, which a running service accepts at once."""

CLIENT_RETRIES = 4
"""Limit: how often it retries after a lost connection, or when the service is busy."""


P = ParamSpec("P")
T = TypeVar("T")


class _Opened:
    """The common constructor of both clients; each has its own kind of connections."""

    _http: Any
    _connections: ClassVar[str]
    """The name of their class in httpx."""

    def __init__(
        self,
        url: str = "http://127.0.0.1:8080",
        *,
        token: str | None = None,
        timeout: float = CLIENT_SECONDS,
        retries: int = CLIENT_RETRIES,
        wait: float | None = None,
    ) -> None:
        with needs("client", "the client"):
            import httpx
        if not url.startswith(("http://", "https://")):
            raise UsageError(
                f"{url!r} is not the URL of a service: it must start with http:// or https://"
            )
        try:
            self._http = getattr(httpx, self._connections)(
                base_url=url,
                headers={} if token is None else {"Authorization": f"Bearer {token}"},
                timeout=httpx.Timeout(timeout, connect=min(timeout, CLIENT_CONNECT_SECONDS)),
            )
        except httpx.InvalidURL as error:
            raise UsageError(f"{url!r} is not the URL of a service: {error}") from None
        self._lost: type[Exception] = httpx.TransportError
        self._final = (httpx.ReadTimeout, httpx.UnsupportedProtocol)
        self._patience = Patience(retries, timeout)
        self._calls = Calls(wait=wait)

    def _no_answer(self, error: Exception) -> Lost:
        # After a read timeout there is no retry: the caller has waited as long as it wanted.
        return Lost(str(error) or type(error).__name__, isinstance(error, self._final))


def _waiting(
    call: Callable[Concatenate[Calls, P], Call[T]],
) -> Callable[Concatenate["Client", P], T]:
    """A blocking method for a call."""

    @wraps(call)
    def method(client: "Client", /, *args: P.args, **options: P.kwargs) -> T:
        return client._do(call(client._calls, *args, **options))  # noqa: SLF001  # a method of it

    return method


def _awaiting(
    call: Callable[Concatenate[Calls, P], Call[T]],
) -> Callable[Concatenate["AsyncClient", P], Coroutine[Any, Any, T]]:
    """An asynchronous method for a call."""

    @wraps(call)
    async def method(client: "AsyncClient", /, *args: P.args, **options: P.kwargs) -> T:
        return await client._do(call(client._calls, *args, **options))  # noqa: SLF001  # as above

    return method


class Client(_Opened):
    r"""A blocking client of a service; threads may share it.

    >>> with Client(url) as service:  # such as http://127.0.0.1:8080
    ...     document = service.submit(b"A Study of Wrappers\n\nAda Lovelace\n", name="study.txt")
    ...     service.text(document).value.splitlines()[0]
    'A Study of Wrappers'
    """

    _connections = "Client"

    submit = _waiting(Calls.submit)
    describe = _waiting(Calls.describe)
    delete = _waiting(Calls.delete)
    file = _waiting(Calls.file)
    header = _waiting(Calls.header)
    citations = _waiting(Calls.citations)
    body = _waiting(Calls.body)
    text = _waiting(Calls.text)
    export = _waiting(Calls.export)
    paper = _waiting(Calls.paper)
    records = _waiting(Calls.records)
    extractors = _waiting(Calls.extractors)
    extractor = _waiting(Calls.extractor)
    put_extractor = _waiting(Calls.put_extractor)
    delete_extractor = _waiting(Calls.delete_extractor)
    add_to_library = _waiting(Calls.add_to_library)
    search_library = _waiting(Calls.search_library)
    library_paper = _waiting(Calls.library_paper)
    library_queue = _waiting(Calls.library_queue)
    export_library = _waiting(Calls.export_library)
    correct_paper = _waiting(Calls.correct_paper)
    tag_papers = _waiting(Calls.tag_papers)
    note_paper = _waiting(Calls.note_paper)
    read_papers_again = _waiting(Calls.read_papers_again)
    remove_from_library = _waiting(Calls.remove_from_library)

    def close(self) -> None:
        """Close all connections."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_failure: object) -> None:
        self.close()

    def _do(self, call: Call[T]) -> T:
        conversation = converse(call, self._patience)
        outcome: Outcome = None
        while True:
            try:
                step = conversation.send(outcome)
            except StopIteration as end:
                value: T = end.value
                return value
            outcome = None
            if isinstance(step, float):
                time.sleep(step)
            else:
                outcome = self._exchange(step)

    def _exchange(self, request: Request) -> Reply | Lost:
        with _prepared(request) as (options, file):
            try:
                answer = self._http.request(**options, content=file and _chunks(file))
            except self._lost as error:
                return self._no_answer(error)
        return Reply(answer.status_code, answer.headers, answer.content)


class AsyncClient(_Opened):
    """A client of a service for asyncio.

    >>> import asyncio
    >>> async def read():
    ...     async with AsyncClient(url) as service:  # such as http://127.0.0.1:8080
    ...         document = await service.submit(b"A Study of Wrappers", name="study.txt")
    ...         return (await service.text(document)).value
    >>> asyncio.run(read())[:19]
    'A Study of Wrappers'
    """

    _connections = "AsyncClient"

    submit = _awaiting(Calls.submit)
    describe = _awaiting(Calls.describe)
    delete = _awaiting(Calls.delete)
    file = _awaiting(Calls.file)
    header = _awaiting(Calls.header)
    citations = _awaiting(Calls.citations)
    body = _awaiting(Calls.body)
    text = _awaiting(Calls.text)
    export = _awaiting(Calls.export)
    paper = _awaiting(Calls.paper)
    records = _awaiting(Calls.records)
    extractors = _awaiting(Calls.extractors)
    extractor = _awaiting(Calls.extractor)
    put_extractor = _awaiting(Calls.put_extractor)
    delete_extractor = _awaiting(Calls.delete_extractor)
    add_to_library = _awaiting(Calls.add_to_library)
    search_library = _awaiting(Calls.search_library)
    library_paper = _awaiting(Calls.library_paper)
    library_queue = _awaiting(Calls.library_queue)
    export_library = _awaiting(Calls.export_library)
    correct_paper = _awaiting(Calls.correct_paper)
    tag_papers = _awaiting(Calls.tag_papers)
    note_paper = _awaiting(Calls.note_paper)
    read_papers_again = _awaiting(Calls.read_papers_again)
    remove_from_library = _awaiting(Calls.remove_from_library)

    async def close(self) -> None:
        """Close all connections."""
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_failure: object) -> None:
        await self.close()

    async def _do(self, call: Call[T]) -> T:
        conversation = converse(call, self._patience)
        outcome: Outcome = None
        while True:
            try:
                step = conversation.send(outcome)
            except StopIteration as end:
                value: T = end.value
                return value
            outcome = None
            if isinstance(step, float):
                await asyncio.sleep(step)
            else:
                outcome = await self._exchange(step)

    async def _exchange(self, request: Request) -> Reply | Lost:
        with _prepared(request) as (options, file):
            try:
                answer = await self._http.request(**options, content=file and _read_aside(file))
            except self._lost as error:
                return self._no_answer(error)
        return Reply(answer.status_code, answer.headers, answer.content)


@contextmanager
def _prepared(request: Request) -> Iterator[tuple[dict[str, Any], BinaryIO | None]]:
    """The options of a request for httpx, and its body."""
    options: dict[str, Any] = {
        "method": request.method,
        "url": request.path,
        "params": request.params,
        "headers": request.headers,
    }
    if request.body is None:
        yield options, None
        return
    with request.body.opened() as (file, length):
        if length is not None:
            options["headers"] = {**request.headers, "Content-Length": str(length)}
        yield options, file


def _chunks(file: BinaryIO) -> Iterator[bytes]:
    while chunk := file.read(SENT_CHUNK_BYTES):
        yield chunk


async def _read_aside(file: BinaryIO) -> AsyncIterator[bytes]:
    """The same in a thread, so that the event loop is not blocked."""
    while chunk := await asyncio.to_thread(file.read, SENT_CHUNK_BYTES):
        yield chunk
