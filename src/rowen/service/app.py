"""The ASGI application: middleware and routes around a service."""

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from itertools import chain

from fastapi import FastAPI

from rowen import __version__
from rowen.service.gate import Gate, PublicPaths, describe_tokens
from rowen.service.prefix import Prefix
from rowen.service.problems import handle_problems
from rowen.service.response_cache import CacheResponses
from rowen.service.routes import (
    documents,
    extractors,
    grobid,
    jobs,
    operations,
    representations,
)
from rowen.service.state import Service
from rowen.service.watching import Watch

STORE_THREADS = 32
"""How many threads serve requests where documents are on object storage: nearly all of them wait
for the network."""


def create_app(service: Service) -> FastAPI:
    """The application around a service and its extensions; it closes the service at its end."""

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        if service.home.store.documents_are_remote:  # many wait for the network at once
            asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(STORE_THREADS))
        going_on = asyncio.create_task(service.go_on())
        try:
            yield
        finally:
            going_on.cancel()
            await service.stop()
            service.close()

    app = FastAPI(
        title="Rowen",
        version=__version__,
        description="Submit documents and get their representations. Each is extracted only once.",
        lifespan=lifespan,
        docs_url=None,  # it would load scripts from another site
        redoc_url=None,
        redirect_slashes=False,
        telemetry={"tracing": False, "metrics": False, "logs": False},  # Watch has its own
    )
    app.state.service = service
    handle_problems(app)
    extensions = tuple(service.extensions.values())
    public = PublicPaths.of(extensions)
    app.add_middleware(CacheResponses)  # inside the gate, which gives a request its realm
    app.add_middleware(
        Gate,
        access=service.access,
        sessions=service.sessions,
        hosts=service.hosts,
        home=service.home,
        realms=service.realms,
        metrics=service.metrics,
        public=public,
    )
    # What is added last is called first, so that the log has refused requests, too.
    app.add_middleware(Watch)
    app.add_middleware(Prefix, prefix=service.prefix)
    # Routes are tried in this order. The most frequent come first, and the extractors before the
    # representations, because an extractor may have the name of one. Documents come last: their
    # path matches everything. Including routers would cost each request a second search.
    added = chain.from_iterable(extension.routers for extension in extensions)
    for router in (
        extractors.router,
        representations.router,
        operations.router,
        jobs.router,
        grobid.router,
        *added,
        documents.router,
    ):
        app.router.routes.extend(router.routes)
    if service.prefix:
        app.servers = [{"url": service.prefix}]
    if service.access is not None:
        describe_tokens(app.openapi(), public)  # FastAPI builds the description only once
    return app
