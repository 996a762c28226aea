"""Pages by their addresses, for the studio: fetched only where the operator lets it.

A server that fetches what strangers name is a way into the network that it stands in. So a name is
looked up once, all that it means must be allowed, and the connection goes to the very address that
was looked at; each redirect is a new address. What comes is cut off by size and by time, and
unpacked beside the event loop: a body of kilobytes may stand for gigabytes.
"""

import asyncio
import socket
from http import HTTPStatus
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from types import ModuleType
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias
from urllib.parse import unquote

from rowen import __version__
from rowen.documents.charset import decode
from rowen.limits import FETCH_REDIRECTS, FETCH_SECONDS, FETCHES, STUDIO_PAGE_BYTES
from rowen.model.errors import DocumentError, ServiceError, UsageError
from rowen.sources.codings import CodingError, TooMuchError, accepted, codings_of, unpack

if TYPE_CHECKING:
    import httpx

Reach: TypeAlias = Literal["public", "any"]
"""Which addresses may be fetched from: the internet's, or also those of the server's networks."""

_HEADERS = {
    "User-Agent": f"Rowen/{__version__}",
    "Accept": "text/html, application/xhtml+xml, text/*;q=0.8, */*;q=0.1",
    "Accept-Encoding": accepted(),
}
_TRANSLATED = IPv6Network("64:ff9b::/96")
"""Addresses of version 6 that stand for one of version 4 (RFC 6052)."""


class Fetched(NamedTuple):
    """A page, and what it may be called."""

    name: str
    text: str


class Fetcher:
    """Fetches pages for all who ask."""

    def __init__(self, reach: Reach) -> None:
        self._reach = reach
        self._httpx = _httpx()
        self._places = asyncio.Semaphore(FETCHES)

    async def fetch(self, url: str) -> Fetched:
        """The page at an address."""
        httpx = self._httpx
        try:
            asked = httpx.URL(url.strip())
            async with self._places, asyncio.timeout(FETCH_SECONDS):
                return await self._follow(asked)
        except TimeoutError:
            raise ServiceError(f"{url} took longer than {FETCH_SECONDS:.0f} s") from None
        except (httpx.InvalidURL, UnicodeError) as error:
            raise UsageError(f"{url!r} is no address of a page: {error}") from None
        except (httpx.HTTPError, OSError) as error:
            told = str(error) or type(error).__name__
            raise ServiceError(f"{url} could not be fetched: {told}") from None

    async def _follow(self, url: "httpx.URL") -> Fetched:
        limits = self._httpx.Limits(max_keepalive_connections=0)
        async with self._httpx.AsyncClient(
            trust_env=False, timeout=FETCH_SECONDS, limits=limits
        ) as client:
            for _ in range(FETCH_REDIRECTS + 1):
                request = await self._request(client, url)
                answer = await client.send(request, stream=True)
                try:
                    if not answer.has_redirect_location:
                        return await _page(url, answer)
                    url = url.join(answer.headers["Location"])
                finally:
                    await answer.aclose()
        raise ServiceError(f"{url} redirects more than {FETCH_REDIRECTS} times")

    async def _request(self, client: "httpx.AsyncClient", url: "httpx.URL") -> "httpx.Request":
        """A request to the address that a name means now, whatever it means a moment later."""
        if url.scheme not in ("http", "https") or not url.host:
            raise UsageError(f"{url} is no address that starts with http:// or https://")
        port = url.port or {"http": 80, "https": 443}[url.scheme]
        loop = asyncio.get_running_loop()
        found = await loop.getaddrinfo(url.host, port, type=socket.SOCK_STREAM)
        addresses = [str(place[0]).partition("%")[0] for *_, place in found]
        if self._reach == "public" and not all(map(is_public, addresses)):
            raise UsageError(
                f"{url.host} is in a network of the server's own, which it fetches nothing from "
                "unless it was started with --fetch any"
            )
        headers = {**_HEADERS, "Host": url.netloc.decode("ascii")}
        place = url.copy_with(host=addresses[0], username=None, password=None, fragment=None)
        return client.build_request(
            "GET", place, headers=headers, extensions={"sni_hostname": url.raw_host.decode("ascii")}
        )


def is_public(address: str) -> bool:
    """Whether an address is one of the internet, and stands for no other one that is not."""
    found = ip_address(address)
    meant: list[IPv4Address | IPv6Address | None] = [found]
    if isinstance(found, IPv6Address):
        meant += [found.ipv4_mapped, found.sixtofour, *(found.teredo or ())]
        if found in _TRANSLATED:
            meant.append(IPv4Address(int(found) & 0xFFFFFFFF))
    return all(one is None or (one.is_global and not one.is_multicast) for one in meant)


async def _page(url: "httpx.URL", answer: "httpx.Response") -> Fetched:
    if answer.status_code != HTTPStatus.OK:
        raise ServiceError(f"{url} answers {answer.status_code} {answer.reason_phrase}".rstrip())
    body = bytearray()
    async for part in answer.aiter_raw():
        body += part
        if len(body) > STUDIO_PAGE_BYTES:
            raise _too_large(url)
    codings, charset = answer.headers.get("content-encoding", ""), answer.charset_encoding
    text = await asyncio.to_thread(_text, str(url), bytes(body), codings, charset)
    return Fetched(_name(url), text)


def _text(url: str, body: bytes, codings: str, charset: str | None) -> str:
    """What a page says; takes its time, and memory for the largest page at most."""
    try:
        body = unpack(body, codings_of(codings), limit=STUDIO_PAGE_BYTES)
    except TooMuchError:
        raise _too_large(url) from None
    except CodingError as error:
        raise ServiceError(f"{url} {error}") from None
    return decode(body, url, http_charset=charset).text


def _too_large(url: object) -> DocumentError:
    return DocumentError(
        str(url), f"is larger than the {STUDIO_PAGE_BYTES:,} bytes that the studio opens"
    )


def _name(url: "httpx.URL") -> str:
    """What an address is called: the last part of its path and what is asked for, or its host."""
    last = unquote(url.path.rstrip("/").rpartition("/")[2]) or url.host
    asked = unquote(url.query.decode("ascii", "replace"))
    return f"{last} {asked}" if asked else last


def _httpx() -> ModuleType:
    try:
        import httpx
    except ImportError:
        raise UsageError(
            "fetching pages needs httpx; install it with `pip install 'rowen[client]'`"
        ) from None
    return httpx
