"""The service as an application: its parts, put together for as long as it runs."""

import asyncio
import os
from collections.abc import AsyncIterator, Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from fastapi import FastAPI, Request

from rowen import __version__
from rowen.limits import (
    CONNECTIONS_PER_ADDRESS,
    OPEN_REALMS,
    STORE_THREADS,
    UPLOAD_BYTES,
    WAITING_READINGS,
)
from rowen.service.access import Access
from rowen.service.fetching import Fetcher, Reach
from rowen.service.gate import Gate, describe_tokens
from rowen.service.metrics import Metrics
from rowen.service.opening import Sharing
from rowen.service.problems import handle_problems
from rowen.service.realms import HOME, Realm, Realms, open_realm
from rowen.service.redis import SharedRedis
from rowen.service.reserve import Reserve
from rowen.service.tokens import Token
from rowen.service.uploads import Uploads
from rowen.service.watching import Watch
from rowen.service.workers import Workers
from rowen.studio.studio import Studio


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What an operator chooses."""

    data: Path
    workers: int = os.cpu_count() or 1
    waiting: int = WAITING_READINGS
    upload_bytes: int = UPLOAD_BYTES
    files: str | None = None
    """Where documents live, such as `s3://bucket/folder`, if not in `data`."""
    redis: str | None = None
    """The address of a Redis for results, if they don't live with the documents."""
    result_seconds: Mapping[str, int] = field(default_factory=dict)
    """How long Redis keeps results of a kind, where not as usual."""
    near: bool = True
    """Whether near-duplicates may answer."""
    stores: tuple[str, ...] = ()
    """Stores of runs that the studio shows."""
    fetch: Reach | None = None
    """Where the studio may fetch pages from; None for nowhere."""
    open_realms: int = OPEN_REALMS
    connections_per_address: int = CONNECTIONS_PER_ADDRESS
    """How many connections one address may have; behind a proxy all come from its own."""
    auth: Path | None = None
    """The file of tokens; without one there is a single realm, and whoever comes is in it."""
    hosts: Collection[str] | None = None
    """The names that the service goes by beside this machine's own; None for any."""


class Service:
    """What all requests share."""

    def __init__(self, settings: Settings) -> None:
        self.stores = settings.stores
        self.hosts = settings.hosts
        self.fetcher = None if settings.fetch is None else Fetcher(settings.fetch)
        self.access = None if settings.auth is None else Access(settings.auth)
        self.redis = None if settings.redis is None else SharedRedis(settings.redis)
        sharing = Sharing(
            settings.files,
            self.redis,
            settings.result_seconds,
            settings.near,
            reserve=Reserve(settings.data),
        )
        self.workers = Workers(settings.workers, waiting=settings.waiting)
        try:
            self.home = open_realm(settings.data, HOME, self.workers, sharing)
        except BaseException:
            self.workers.close()
            raise
        self.realms = Realms(settings.data, self.workers, sharing, most=settings.open_realms)
        self.uploads = Uploads(most=settings.upload_bytes)
        self.metrics = Metrics(self.workers, self.uploads, self.redis)
        self.studio = Studio()

    def close(self) -> None:
        """End the workers, then let go of the stores."""
        self.studio.close()
        self.workers.close()
        self.realms.close()
        self.home.close()
        if self.redis is not None:
            self.redis.close()


def service_of(request: Request) -> Service:
    """The service that a request came to."""
    service: Service = request.app.state.service
    return service


def token_of(request: Request) -> Token | None:
    """The token that a request came with, where the service asks for one."""
    token: Token | None = request.scope["token"]
    return token


def realm_of(request: Request) -> Realm:
    """The realm in which a request is answered."""
    realm: Realm = request.scope["realm"]
    return realm


def create_app(service: Service) -> FastAPI:
    """The application around a service, which it closes at its end."""
    from rowen.service.hot import Reheat
    from rowen.service.routes import (
        documents,
        extractors,
        jobs,
        operations,
        papers,
        publishing,
        representations,
        runs,
        studio,
    )

    @asynccontextmanager
    async def life(_app: FastAPI) -> AsyncIterator[None]:
        if service.home.store.documents_are_remote:  # many wait for the network at once
            asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(STORE_THREADS))
        try:
            yield
        finally:
            service.close()

    app = FastAPI(
        title="Rowen",
        version=__version__,
        description="Documents in, representations out; nothing is worked on twice.",
        lifespan=life,
        docs_url=None,  # it would load scripts from elsewhere
        redoc_url=None,
        redirect_slashes=False,
        telemetry={"tracing": False, "metrics": False, "logs": False},  # Watch has its own
    )
    app.state.service = service
    handle_problems(app)
    app.add_middleware(Reheat)  # after the gate, which gives a request its realm
    app.add_middleware(
        Gate,
        access=service.access,
        hosts=service.hosts,
        home=service.home,
        realms=service.realms,
        metrics=service.metrics,
    )
    app.add_middleware(Watch)
    # Each is tried in this order, so what is asked for most comes first; an extractor may be called
    # as a representation is, and whatever has no other meaning is the id of a document. Including
    # routers would cost each request another search.
    for part in (
        extractors,
        representations,
        operations,
        jobs,
        studio,
        publishing,
        runs,
        papers,
        documents,
    ):
        app.router.routes.extend(part.router.routes)
    if service.access is not None:
        describe_tokens(app.openapi())  # which is made once
    return app
