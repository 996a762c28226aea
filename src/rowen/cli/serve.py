"""`rowen serve`: the extraction service."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rowen.cli.app import common_options
from rowen.cli.quantities import read_seconds
from rowen.cli.serving import STRANGERS, place_options
from rowen.model.errors import UsageError
from rowen.service.connections import CONNECTIONS_PER_ADDRESS
from rowen.storage.documents.redis_results import RESULT_SECONDS

if TYPE_CHECKING:
    from rowen.studio.fetching import Reach


@click.command(short_help="Serve extraction over HTTP.")
@place_options
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    help="Number of processes that read documents. [default: one per core]",
)
@click.option(
    "--files",
    metavar="URI",
    help="Store documents here, such as s3://bucket/folder, to share them between services.",
)
@click.option(
    "--redis", metavar="URL", help="Store results in this Redis, such as redis://localhost:6379/0."
)
@click.option(
    "--ttl",
    multiple=True,
    metavar="KIND=TIME",
    help="How long Redis keeps results of a kind (text, header, citations, body, records), such as "
    "citations=6h; can be repeated.",
)
@click.option(
    "--no-near",
    is_flag=True,
    help="Reuse results of equal documents only, not of near-duplicates.",
)
@click.option(
    "--auth",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Require access tokens from this file; see `rowen token`. Tenants share no documents.",
)
@click.option(
    "--allow-host",
    multiple=True,
    metavar="NAME",
    help="Accept requests with this Host header; can be repeated. [default: localhost only when "
    "listening on a local address, else any]",
)
@click.option(
    "--prefix",
    default="",
    metavar="PATH",
    help="The path below which a proxy has the service, such as /rowen.",
)
@click.option(
    "--connections-per-address",
    type=click.IntRange(min=1),
    default=CONNECTIONS_PER_ADDRESS,
    show_default=True,
    help="Limit of connections per client address. Behind a proxy all connections have its "
    "address: use 512, the limit of the service.",
)
@click.option("--check", is_flag=True, help="Check everything that the service needs, and exit.")
@common_options
def command(
    *,
    host: str,
    port: int,
    data: str,
    stores: tuple[str, ...],
    folders: tuple[Path, ...],
    fetch: "Reach | None",
    workers: int | None,
    files: str | None,
    redis: str | None,
    ttl: tuple[str, ...],
    no_near: bool,
    auth: str | None,
    allow_host: tuple[str, ...],
    prefix: str,
    connections_per_address: int,
    check: bool,
    quiet: bool,
    verbose: bool,
) -> int:
    """Extract data from documents over HTTP.

    Send a PDF, an HTML page or a text to /; the response has its address. Header, citations, body
    and text are extracted on request, stored, and never extracted twice. /docs lists the calls.
    After SIGTERM or Ctrl-C the service finishes the running requests and stops.

    Without --auth everyone who can reach the address can use the service.

    \b
    rowen serve
    rowen serve --port 9000 --data /srv/rowen --workers 4
    rowen serve --redis redis://cache:6379/0 --files s3://papers/rowen
    rowen serve --host 0.0.0.0 --auth tokens.json --allow-host rowen.example.org
    curl -F myfile=@article.pdf http://127.0.0.1:8080/
    """  # noqa: D301  # click reads the backspace
    from rowen.cli.console import Console
    from rowen.home.applications import applications
    from rowen.logs import LOG, set_up_logs
    from rowen.service.gate import is_loopback
    from rowen.service.self_check import check_parts
    from rowen.service.server import address, listen, serve
    from rowen.service.settings import Settings

    console = Console(quiet=quiet, verbose=verbose)
    with listen(host, port) as listener:
        local = is_loopback(listener.getsockname()[0])
        settings = Settings(
            data=Path(data),
            workers=workers or os.cpu_count() or 1,
            auth=None if auth is None else Path(auth),
            hosts={name.lower() for name in allow_host} if local or allow_host else None,
            files=files,
            redis=redis,
            result_seconds=dict(_kept(option) for option in ttl),
            near=not no_near,
            prefix=_checked(prefix),
            connections_per_address=connections_per_address,
        )
        open_to_all = not local and auth is None
        if check:
            if open_to_all:
                console.complain(f"warning: {STRANGERS % host}")
            for line in check_parts(settings):
                click.echo(line)
            click.echo(f"{host} port {listener.getsockname()[1]}: free")
            return 0
        set_up_logs(quiet=quiet, verbose=verbose)
        # From here on all output is log lines, so that programs can parse it.
        if open_to_all:
            LOG.warning(STRANGERS, host)
        fields = {"address": address(host, listener), "data": data}
        LOG.info(
            "serving", extra={"fields": fields if files is None else {**fields, "files": files}}
        )
        serve(
            settings, listener, extensions=applications(stores=stores, folders=folders, fetch=fetch)
        )
    return 0


def _checked(prefix: str) -> str:
    """A prefix without a slash at its end."""
    from rowen.service.prefix import PREFIX

    path = prefix.rstrip("/")
    if not PREFIX.fullmatch(path):
        raise UsageError("--prefix must be a path such as /rowen")
    return path


def _kept(option: str) -> tuple[str, int]:
    """A kind of result, and how many seconds Redis keeps it."""
    kind, _, time = option.partition("=")
    if kind not in RESULT_SECONDS:
        raise UsageError(f"--ttl: {kind!r} must be one of {', '.join(RESULT_SECONDS)}")
    return kind, read_seconds(time)
