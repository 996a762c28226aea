"""Fetches pages by URL for the studio, if the operator allows it.

A server that fetches URLs of strangers is a way into its own network (server-side request forgery).
So a host name is looked up once, all its addresses must be allowed, and the connection goes to the
address that was checked; otherwise a second lookup could give another one (DNS rebinding). Each
redirect is checked again. Size and time are limited, and bodies are unpacked in a thread, with a
limit: a body of kilobytes may unpack to gigabytes.
"""

import asyncio
import socket
from http import HTTPStatus
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from types import ModuleType
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias
from urllib.parse import unquote

from rowen import __version__
from rowen.model.errors import DocumentError, ServiceError, UsageError
from rowen.model.extras import needs
from rowen.sources.codings import CodingError, TooMuchError, accepted, codings_of, unpack
from rowen.studio.project import STUDIO_PAGE_BYTES
from rowen.text.charset import decode

if TYPE_CHECKING:
    import httpx

FETCH_SECONDS = 30.0
"""Limit: how long fetching a page may take, with its redirects."""

FETCH_REDIRECTS = 10
"""Limit: how many redirects are followed."""

FETCHES = 8
"""Limit: how many pages the studio fetches at once."""


Reach: TypeAlias = Literal["public", "any"]
"""Which addresses may be fetched: public ones, or also those of the server's networks."""

_HEADERS = {
    "User-Agent": f"Rowen/{__version__}",
    "Accept": "text/html, application/xhtml+xml, text/*;q=0.8, */*;q=0.1",
    "Accept-Encoding": accepted(),
}
_TRANSLATED = IPv6Network("64:ff9b::/96")
"""IPv6 addresses that are translated to IPv4 (RFC 6052)."""


class Fetched(NamedTuple):
    """A page, and a name for it."""

    name: str
    text: str


class Fetcher:
    """Fetches pages, a limited number at once."""

    def __init__(self, reach: Reach) -> None:
        self._reach = reach
        self._httpx = _httpx()
        self._places = asyncio.Semaphore(FETCHES)

    async def fetch(self, url: str) -> Fetched:
        """The page at a URL."""
        httpx = self._httpx
        try:
            address = httpx.URL(url.strip())
            async with self._places, asyncio.timeout(FETCH_SECONDS):
                return await self._follow(address)
        except TimeoutError:
            raise ServiceError(f"{url} took longer than {FETCH_SECONDS:.0f} s") from None
        except (httpx.InvalidURL, UnicodeError) as error:
            raise UsageError(f"{url!r} is not a valid URL: {error}") from None
        except (httpx.HTTPError, OSError) as error:
            reason = str(error) or type(error).__name__
            raise ServiceError(f"can't fetch {url}: {reason}") from None

    async def _follow(self, url: "httpx.URL") -> Fetched:
        limits = self._httpx.Limits(max_keepalive_connections=0)
        # No proxy from the environment (`trust_env`): it would look up the name a second time.
        async with self._httpx.AsyncClient(
            trust_env=False, timeout=FETCH_SECONDS, limits=limits
        ) as client:
            for _ in range(FETCH_REDIRECTS + 1):
                request = await self._request(client, url)
                response = await client.send(request, stream=True)
                try:
                    if not response.has_redirect_location:
                        return await _page(url, response)
                    url = url.join(response.headers["Location"])
                finally:
                    await response.aclose()
        raise ServiceError(f"{url} redirects more than {FETCH_REDIRECTS} times")

    async def _request(self, client: "httpx.AsyncClient", url: "httpx.URL") -> "httpx.Request":
        """A request to the address that was checked, even if the name changes a moment later."""
        if url.scheme not in ("http", "https") or not url.host:
            raise UsageError(f"{url} must start with http:// or https://")
        port = url.port or {"http": 80, "https": 443}[url.scheme]
        loop = asyncio.get_running_loop()
        entries = await loop.getaddrinfo(url.host, port, type=socket.SOCK_STREAM)
        # A link-local IPv6 address may end in a zone: `fe80::1%eth0`.
        addresses = [str(place[0]).partition("%")[0] for *_, place in entries]
        if self._reach == "public" and not all(map(is_public, addresses)):
            raise UsageError(
                f"{url.host} is in the server's own network; to fetch from there, start the "
                "server with --fetch any"
            )
        # The connection goes to an address, but the server and its certificate are for the name.
        headers = {**_HEADERS, "Host": url.netloc.decode("ascii")}
        place = url.copy_with(host=addresses[0], username=None, password=None, fragment=None)
        return client.build_request(
            "GET", place, headers=headers, extensions={"sni_hostname": url.raw_host.decode("ascii")}
        )


def is_public(address: str) -> bool:
    """Whether an address is public, and so is every IPv4 address that is embedded in it."""
    parsed = ip_address(address)
    # A gateway on the way may send such an IPv6 address on to the IPv4 address in it.
    targets: list[IPv4Address | IPv6Address | None] = [parsed]
    if isinstance(parsed, IPv6Address):
        targets += [parsed.ipv4_mapped, parsed.sixtofour, *(parsed.teredo or ())]
        if parsed in _TRANSLATED:
            targets.append(IPv4Address(int(parsed) & 0xFFFFFFFF))
    return all(
        target is None or (target.is_global and not target.is_multicast) for target in targets
    )


async def _page(url: "httpx.URL", response: "httpx.Response") -> Fetched:
    if response.status_code != HTTPStatus.OK:
        raise ServiceError(
            f"{url} answered {response.status_code} {response.reason_phrase}".rstrip()
        )
    body = bytearray()
    # Counted while it arrives: Content-Length may be missing or wrong.
    async for part in response.aiter_raw():
        body += part
        if len(body) > STUDIO_PAGE_BYTES:
            raise _too_large(url)
    codings, charset = response.headers.get("content-encoding", ""), response.charset_encoding
    text = await asyncio.to_thread(_text, str(url), bytes(body), codings, charset)
    return Fetched(_name(url), text)


def _text(url: str, body: bytes, codings: str, charset: str | None) -> str:
    """The unpacked and decoded text of a page. It is slow, so it runs in a thread."""
    try:
        body = unpack(body, codings_of(codings), limit=STUDIO_PAGE_BYTES)
    except TooMuchError:
        raise _too_large(url) from None
    except CodingError as error:
        raise ServiceError(f"{url} {error}") from None
    return decode(body, url, http_charset=charset).text


def _too_large(url: object) -> DocumentError:
    return DocumentError(
        str(url), f"is larger than {STUDIO_PAGE_BYTES:,} bytes, the limit of the studio"
    )


def _name(url: "httpx.URL") -> str:
    """A name for a page: the last part of the path and the query, or the host."""
    last = unquote(url.path.rstrip("/").rpartition("/")[2]) or url.host
    query = unquote(url.query.decode("ascii", "replace"))
    return f"{last} {query}" if query else last


def _httpx() -> ModuleType:
    with needs("client", "fetching pages"):
        import httpx
    return httpx
