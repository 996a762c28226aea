"""The service as a process that listens."""

import socket

import uvicorn

from rowen.limits import SHUTDOWN_SECONDS
from rowen.model.errors import StoreError
from rowen.service.app import Service, Settings, create_app
from rowen.service.connections import Connection, Server


def listen(host: str, port: int) -> socket.socket:
    """A socket that clients can come to; StoreError where there can be none."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        opened = socket.socket(family, kind, protocol)
    except OSError as error:
        raise StoreError(f"can't listen on {host} port {port}: {error.strerror}") from None
    try:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        opened.bind(address)
        opened.listen(2048)
    except OSError as error:
        opened.close()
        raise StoreError(f"can't listen on {host} port {port}: {error.strerror}") from None
    return opened


def serve(settings: Settings, listener: socket.socket) -> None:
    """Answer until a signal comes; then finish what was begun, within a limit."""
    Connection.per_address = settings.connections_per_address
    config = uvicorn.Config(
        create_app(Service(settings)),
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
    except KeyboardInterrupt:  # uvicorn passes the signal on that it has ended for
        if not server.should_exit:
            raise
