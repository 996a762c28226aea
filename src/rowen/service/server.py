"""Runs the application with uvicorn."""

import socket
from collections.abc import Sequence

import uvicorn

from rowen.model.errors import StoreError
from rowen.service.app import create_app
from rowen.service.connections import Connection, Server
from rowen.service.extension import Extension
from rowen.service.settings import Settings
from rowen.service.state import Service

SHUTDOWN_SECONDS = 30
"""Limit: how long the service goes on with running requests after a signal to stop."""


def listen(host: str, port: int) -> socket.socket:
    """A listening socket; StoreError where the address can't be used."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        opened = socket.socket(family, kind, protocol)
    except OSError as error:
        raise StoreError(f"can't listen on {host} port {port}: {error.strerror}") from None
    try:
        # Else a service that restarts could not listen while old connections of its port linger.
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        opened.bind(address)
        opened.listen(2048)
    except OSError as error:
        opened.close()
        raise StoreError(f"can't listen on {host} port {port}: {error.strerror}") from None
    return opened


def address(host: str, listener: socket.socket) -> str:
    """The URL of a service that listens there."""
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{listener.getsockname()[1]}"


def serve(
    settings: Settings, listener: socket.socket, *, extensions: Sequence[Extension] = ()
) -> None:
    """Answer requests until a signal comes; then finish the running ones, within a limit."""
    Connection.per_address = settings.connections_per_address
    config = uvicorn.Config(
        create_app(Service(settings, extensions)),
        http=Connection,
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
    )
    server = Server(config)
    try:
        server.run(sockets=[listener])
    except KeyboardInterrupt:  # uvicorn raises the signal again that has stopped it
        if not server.should_exit:
            raise
