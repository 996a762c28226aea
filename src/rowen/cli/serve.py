"""`rowen serve`: the extraction service."""

import os
import re
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rowen.cli.app import Decorated, common_options
from rowen.limits import RESULT_SECONDS
from rowen.model.errors import StoreError, UsageError

if TYPE_CHECKING:
    import socket

    from rowen.cli.console import Console
    from rowen.service.app import Settings
    from rowen.service.fetching import Reach

_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}
_TIME = re.compile(r"([1-9][0-9]{0,5})([smhd])")


def place_options(command: Decorated) -> Decorated:
    """Where the service listens and what it keeps, for the commands that start one."""
    for option in (
        click.option(
            "--fetch",
            type=click.Choice(("public", "any")),
            help="Let the studio open pages by their address: public ones, or any, those of this "
            "machine's networks, too. [default: none]",
        ),
        click.option(
            "--store",
            "stores",
            multiple=True,
            metavar="DIR",
            help="A store of `rowen run` whose runs the studio shows; may be given again.",
        ),
        click.option(
            "--data",
            type=click.Path(file_okay=False),
            default="rowen-data",
            show_default=True,
            help="The folder that keeps documents, results and projects.",
        ),
        click.option(
            "--port",
            type=click.IntRange(0, 65535),
            default=8080,
            show_default=True,
            help="The port to listen on; 0 takes any that is free.",
        ),
        click.option(
            "--host", default="127.0.0.1", show_default=True, help="The address to listen on."
        ),
    ):
        command = option(command)
    return command


@click.command(short_help="Serve extraction over HTTP.")
@place_options
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    help="How many processes read documents at once. [default: one a core]",
)
@click.option(
    "--files",
    metavar="URI",
    help="Where documents live instead, such as s3://bucket/folder, for several services.",
)
@click.option(
    "--redis", metavar="URL", help="A Redis that keeps results, such as redis://localhost:6379/0."
)
@click.option(
    "--ttl",
    multiple=True,
    metavar="KIND=TIME",
    help="How long Redis keeps results of a kind (text, header, citations, body, records), such as "
    "citations=6h; may be given several times.",
)
@click.option(
    "--no-near",
    is_flag=True,
    help="Answer from equal documents only, and look for no near-duplicates.",
)
@click.option(
    "--auth",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Ask for tokens, which `rowen token` keeps in this file; tenants share no documents.",
)
@click.option(
    "--allow-host",
    multiple=True,
    metavar="NAME",
    help="A name that the service goes by, as the Host of requests; may be given again. "
    "[default: on this machine's own address only its own names, else any]",
)
@click.option("--check", is_flag=True, help="Try everything that the service needs, and end.")
@common_options
def command(
    *,
    host: str,
    port: int,
    data: str,
    stores: tuple[str, ...],
    fetch: "Reach | None",
    workers: int | None,
    files: str | None,
    redis: str | None,
    ttl: tuple[str, ...],
    no_near: bool,
    auth: str | None,
    allow_host: tuple[str, ...],
    check: bool,
    quiet: bool,
    verbose: bool,
) -> int:
    """Take in documents over HTTP and give their representations.

    A PDF, a page of HTML or a text is sent to / and answered with its address; header, citations,
    body and text are extracted when they are asked for, kept, and never worked on twice. /docs
    lists the calls. SIGTERM or Ctrl-C end the service after the work that it has begun.

    Without --auth whoever reaches the address can use the service.

    \b
    rowen serve
    rowen serve --port 9000 --data /srv/rowen --workers 4
    rowen serve --redis redis://cache:6379/0 --files s3://papers/rowen
    rowen serve --host 0.0.0.0 --auth tokens.json --allow-host rowen.example.org
    curl -F myfile=@article.pdf http://127.0.0.1:8080/
    """  # noqa: D301  # click reads the backspace
    from rowen.cli.console import Console
    from rowen.service.app import Settings
    from rowen.service.gate import is_loopback
    from rowen.service.logs import set_up_logs
    from rowen.service.server import listen, serve

    console = Console(quiet=quiet, verbose=verbose)
    with listen(host, port) as listener:
        local = is_loopback(listener.getsockname()[0])
        if not local and auth is None:
            warn_of_strangers(console, host)
        settings = Settings(
            data=Path(data),
            workers=workers or os.cpu_count() or 1,
            auth=None if auth is None else Path(auth),
            hosts={one.lower() for one in allow_host} if local or allow_host else None,
            files=files,
            redis=redis,
            result_seconds=dict(_seconds(one) for one in ttl),
            near=not no_near,
            stores=stores,
            fetch=fetch,
        )
        if check:
            _check(settings)
            click.echo(f"{host} port {listener.getsockname()[1]}: free")
            return 0
        set_up_logs(quiet=quiet, verbose=verbose)
        place = f"documents in {files}" if files is not None else f"data in {data}"
        console.warn(f"serving on {address(host, listener)}, {place}")
        serve(settings, listener)
    return 0


def _seconds(option: str) -> tuple[str, int]:
    """A kind of result, and for how long it is kept."""
    kind, _, time = option.partition("=")
    if kind not in RESULT_SECONDS:
        raise UsageError(f"--ttl: {kind!r} is none of {', '.join(RESULT_SECONDS)}")
    found = _TIME.fullmatch(time)
    if found is None:
        raise UsageError(f"--ttl {kind}: a time is written as 30s, 15m, 6h or 7d, not {time!r}")
    return kind, int(found[1]) * _UNITS[found[2]]


def warn_of_strangers(console: "Console", host: str) -> None:
    """Tell that others than this machine's users can reach the service."""
    console.complain(
        f"warning: listening on {host}: everyone who can reach it may read, add and delete "
        "documents, for there is no access control; see `rowen serve --auth`"
    )


def address(host: str, listener: "socket.socket") -> str:
    """Where the service is, for a browser."""
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{listener.getsockname()[1]}"


def _check(settings: "Settings") -> None:
    """Use all parts once; what does not work raises its error, which tells it in one line."""
    import asyncio
    import logging

    from rowen.service.app import Service
    from rowen.service.reading import Check

    logging.disable()
    try:
        with closing(Service(settings)) as service:
            service.home.store.check()
            click.echo(f"{settings.files or settings.data}: documents can be kept")
            if service.redis is not None:
                if not service.redis.answers():
                    raise StoreError(f"{service.redis.address} does not answer")
                click.echo(f"{service.redis.address}: answers")
            if service.access is not None:
                click.echo(f"{settings.auth}: {service.access.count} tokens")
            task = Check("toml", "kind = 'pattern'\npattern = '(?P<word>a)'")
            asyncio.run(service.workers.do(task))
            click.echo(f"{settings.workers} workers: one was started and answered")
            confinement = service.workers.confinement
            confined = confinement is not None and confinement.seccomp
            kept = "can't" if confined else "can, on this system,"
            click.echo(f"workers {kept} open files or reach the network")
    finally:
        logging.disable(logging.NOTSET)
