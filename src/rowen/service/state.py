"""What all requests to a service share, and how a route gets at it."""

from collections.abc import Sequence

from fastapi import Request

from rowen.logs import LOG
from rowen.model.errors import RowenError
from rowen.service.access import Access
from rowen.service.extension import Extension
from rowen.service.metrics import Metrics
from rowen.service.opening import Sharing
from rowen.service.realms import HOME, Realm, Realms, open_realm
from rowen.service.sessions import Sessions
from rowen.service.settings import Settings
from rowen.service.tokens import Token
from rowen.service.uploads import Uploads
from rowen.service.workers import Workers
from rowen.storage.documents.redis import SharedRedis
from rowen.storage.documents.reserve import Reserve


class Service:
    """The stores, the workers and the counters of one service, open until `close`."""

    def __init__(self, settings: Settings, extensions: Sequence[Extension] = ()) -> None:
        self.extensions = {extension.name: extension for extension in extensions}
        self.hosts = settings.hosts
        self.data = settings.data
        self.access = None if settings.auth is None else Access(settings.auth)
        self.sessions = None if settings.auth is None else Sessions(settings.data)
        self.prefix = settings.prefix
        self.redis = None if settings.redis is None else SharedRedis(settings.redis)
        sharing = Sharing(
            settings.files,
            self.redis,
            settings.result_seconds,
            settings.near,
            reserve=Reserve(settings.data),
            extensions=tuple(extensions),
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

    async def go_on(self) -> None:
        """Go on with work that was left when the service ended."""
        try:
            await self.home.go_on()
            if self.access is not None:
                await self.realms.go_on()
        except RowenError as error:  # requests that need it say so again
            LOG.error("work that was left can't go on: %s", error)

    async def stop(self) -> None:
        """Stop working in the background, before the workers end."""
        await self.home.stop()
        await self.realms.stop()

    def close(self) -> None:
        """End the workers, then close the stores."""
        for extension in self.extensions.values():
            extension.close()
        # Before the stores: running tasks read documents from them.
        self.workers.close()
        self.realms.close()
        self.home.close()
        if self.redis is not None:
            self.redis.close()


def service_of(request: Request) -> Service:
    """The service that received a request."""
    service: Service = request.app.state.service
    return service


def token_of(request: Request) -> Token | None:
    """The access token of a request; None where the service asks for none."""
    token: Token | None = request.scope["token"]
    return token


def realm_of(request: Request) -> Realm:
    """The realm of the tenant that sent a request."""
    realm: Realm = request.scope["realm"]
    return realm
