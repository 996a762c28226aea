"""`rowen serve`: the extraction service."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rowen.cli.app import common_options

if TYPE_CHECKING:
    from rowen.service.app import Settings

LOOPBACK = ("127.", "::1", "localhost")


@click.command(short_help="Serve extraction over HTTP.")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8080,
    show_default=True,
    help="The port to listen on; 0 takes any that is free.",
)
@click.option(
    "--data",
    type=click.Path(file_okay=False),
    default="rowen-data",
    show_default=True,
    help="The folder that keeps documents and results.",
)
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    help="How many processes read documents at once. [default: one a core]",
)
@click.option("--check", is_flag=True, help="Try everything that the service needs, and end.")
@common_options
def command(
    *,
    host: str,
    port: int,
    data: str,
    workers: int | None,
    check: bool,
    quiet: bool,
    verbose: bool,
) -> int:
    """Take in documents over HTTP and give their representations.

    A PDF, a page of HTML or a text is sent to / and answered with its address; header, citations,
    body and text are extracted when they are asked for, kept, and never worked on twice. /docs
    lists the calls. SIGTERM or Ctrl-C end the service after the work that it has begun.

    Whoever reaches the address can use the service: there is no access control.

    \b
    rowen serve
    rowen serve --port 9000 --data /srv/rowen --workers 4
    curl -F myfile=@article.pdf http://127.0.0.1:8080/
    """  # noqa: D301  # click reads the backspace
    from rowen.cli.console import Console
    from rowen.service.app import Settings
    from rowen.service.logs import set_up_logs
    from rowen.service.server import listen, serve

    console = Console(quiet=quiet, verbose=verbose)
    if not host.startswith(LOOPBACK):
        console.complain(
            f"warning: listening on {host}: everyone who can reach it may read, add and delete "
            "documents, for there is no access control"
        )
    settings = Settings(data=Path(data), workers=workers or os.cpu_count() or 1)
    with listen(host, port) as listener:
        if check:
            _check(settings)
            click.echo(f"{host} port {listener.getsockname()[1]}: free")
            return 0
        set_up_logs(quiet=quiet, verbose=verbose)
        shown = f"[{host}]" if ":" in host else host
        console.warn(f"serving on http://{shown}:{listener.getsockname()[1]}, data in {data}")
        serve(settings, listener)
    return 0


def _check(settings: "Settings") -> None:
    """Use all parts once; what does not work raises its error."""
    import asyncio

    from rowen.service.app import Service
    from rowen.service.reading import Check

    service = Service(settings)
    try:
        service.store.check()
        click.echo(f"{settings.data}: documents can be kept")
        task = Check("toml", "kind = 'pattern'\npattern = '(?P<word>a)'")
        asyncio.run(service.workers.do(task))
        click.echo(f"{settings.workers} workers: one was started and answered")
        kept = "can't" if service.workers.confined else "can, on this system,"
        click.echo(f"workers {kept} write files or reach the network")
    finally:
        service.close()
