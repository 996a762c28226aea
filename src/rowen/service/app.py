"""The service as an application: its parts, put together for as long as it runs."""

import asyncio
import os
from collections.abc import AsyncIterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from fastapi import FastAPI, Request

from rowen import __version__
from rowen.limits import STORE_THREADS, UPLOAD_BYTES, WAITING_READINGS
from rowen.service.claims import Claims
from rowen.service.extraction import Extraction
from rowen.service.metrics import Metrics
from rowen.service.opening import OPEN_REALM, open_store
from rowen.service.problems import handle_problems
from rowen.service.redis import SharedRedis
from rowen.service.store import Store
from rowen.service.uploads import Uploads
from rowen.service.watching import Watch
from rowen.service.workers import Workers


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


class Service:
    """What all requests share."""

    def __init__(self, settings: Settings) -> None:
        self.redis = SharedRedis(settings.redis) if settings.redis is not None else None
        self.store: Store = open_store(
            settings.data,
            files=settings.files,
            redis=self.redis,
            realm=OPEN_REALM,
            result_seconds=settings.result_seconds,
        )
        self.workers = Workers(settings.workers, waiting=settings.waiting)
        claims = Claims(self.redis, realm=OPEN_REALM)
        self.extraction = Extraction(self.store, self.workers, claims)
        self.uploads = Uploads(self.store, most=settings.upload_bytes)
        self.metrics = Metrics(self.workers, self.uploads, self.redis)

    def close(self) -> None:
        """End the workers, then let go of the store."""
        self.workers.close()
        self.store.close()
        if self.redis is not None:
            self.redis.close()


def service_of(request: Request) -> Service:
    """The service that a request came to."""
    service: Service = request.app.state.service
    return service


def create_app(service: Service) -> FastAPI:
    """The application around a service, which it closes at its end."""
    from rowen.service.routes import documents, extractors, operations, representations

    @asynccontextmanager
    async def life(_app: FastAPI) -> AsyncIterator[None]:
        # Many may wait for a network at once.
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
    )
    app.state.service = service
    handle_problems(app)
    app.add_middleware(Watch)
    for part in (operations, extractors, documents, representations):
        app.router.routes.extend(
            part.router.routes
        )  # including routers costs each request a search
    return app
