"""The service as an application: its parts, put together for as long as it runs."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from fastapi import FastAPI, Request

from rowen import __version__
from rowen.limits import UPLOAD_BYTES, WAITING_READINGS
from rowen.service.embedded import EmbeddedStore
from rowen.service.extraction import Extraction
from rowen.service.metrics import Metrics
from rowen.service.problems import handle_problems
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


class Service:
    """What all requests share."""

    def __init__(self, settings: Settings) -> None:
        self.store: Store = EmbeddedStore(settings.data)
        self.workers = Workers(settings.workers, waiting=settings.waiting)
        self.extraction = Extraction(self.store, self.workers)
        self.uploads = Uploads(self.store, most=settings.upload_bytes)
        self.metrics = Metrics(self.workers, self.uploads)

    def close(self) -> None:
        """End the workers, then let go of the store."""
        self.workers.close()
        self.store.close()


def service_of(request: Request) -> Service:
    """The service that a request came to."""
    service: Service = request.app.state.service
    return service


def create_app(service: Service) -> FastAPI:
    """The application around a service, which it closes at its end."""
    from rowen.service.hot import Reheat
    from rowen.service.routes import documents, extractors, operations, representations

    @asynccontextmanager
    async def life(_app: FastAPI) -> AsyncIterator[None]:
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
    app.add_middleware(Reheat)
    app.add_middleware(Watch)
    for part in (operations, extractors, documents, representations):
        app.router.routes.extend(
            part.router.routes
        )  # including routers costs each request a search
    return app
