"""The check of everything that a service needs, before it is started."""

import asyncio
import logging
from collections.abc import Iterator
from contextlib import closing

from rowen.model.errors import StoreError
from rowen.service.reading import Check
from rowen.service.settings import Settings
from rowen.service.state import Service


def check_parts(settings: Settings) -> Iterator[str]:
    """Use each part of the service once, and say what works; a part that fails raises its error."""
    logging.disable()  # the lines that are yielded are the output, not the log
    try:
        with closing(Service(settings)) as service:
            service.home.store.check()
            yield f"{settings.files or settings.data}: documents can be stored"
            if service.redis is not None:
                if not service.redis.answers():
                    raise StoreError(f"{service.redis.address} does not answer")
                yield f"{service.redis.address}: answers"
            if service.access is not None:
                yield f"{settings.auth}: {service.access.count} access tokens"
            task = Check("toml", "kind = 'pattern'\npattern = '(?P<word>a)'")
            asyncio.run(service.workers.do(task))
            yield f"{settings.workers} workers: one was started and works"
            confinement = service.workers.confinement
            confined = confinement is not None and confinement.seccomp
            ability = "can't" if confined else "can, on this system,"
            yield f"workers {ability} open files or use the network"
    finally:
        logging.disable(logging.NOTSET)
