"""`rowen studio`: the service with the studio opened."""

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import click

from rowen.cli.app import common_options
from rowen.cli.serving import STRANGERS, place_options

if TYPE_CHECKING:
    from rowen.studio.fetching import Reach

_UNFIT = re.compile(r"[^\w.@+-]+")


@click.command(short_help="Mark pages in the browser and learn a wrapper.")
@click.argument("pages", metavar="[PAGE...]", nargs=-1)
@click.option(
    "--project", help="The project to open; created if missing. [default: named after the pages]"
)
@place_options
@click.option("--no-browser", is_flag=True, help="Print the address only; don't open a browser.")
@common_options
def command(
    *,
    pages: tuple[str, ...],
    project: str | None,
    host: str,
    port: int,
    data: str,
    stores: tuple[str, ...],
    folders: tuple[Path, ...],
    fetch: "Reach | None",
    no_browser: bool,
    quiet: bool,
    verbose: bool,
) -> int:
    """Open the studio in the browser, with the PAGEs in a project.

    Select text and press a field's key: the studio learns a wrapper and shows its records on all
    pages. PAGE is a file, a folder, a .warc, .parquet or .jsonl file, or git:REPO@REV, as for
    `rowen extract`. All changes are saved at once in the folder studio/PROJECT of the data folder.
    Ctrl-C stops the studio.

    \b
    rowen studio page1.html page2.html
    rowen studio crawl/ --project shop
    """  # noqa: D301  # click reads the backspace
    import webbrowser

    from rowen.cli.console import Console
    from rowen.home.applications import applications
    from rowen.logs import set_up_logs
    from rowen.service.gate import is_loopback
    from rowen.service.server import address, listen, serve
    from rowen.service.settings import Settings
    from rowen.studio.filling import fill_project
    from rowen.studio.workspace import NAME

    console = Console(quiet=quiet, verbose=verbose)
    with listen(host, port) as listener:
        local = is_loopback(listener.getsockname()[0])
        if not local:
            console.complain(f"warning: {STRANGERS % host}")
        url = f"{address(host, listener)}/studio"
        if pages or project:
            name = project or _name(pages[0])
            fill_project(
                Path(data) / NAME,
                name,
                pages,
                on_error=lambda error: console.complain(str(error)),
            )
            url += f"#{quote(name, safe='')}"
        set_up_logs(quiet=quiet, verbose=verbose)
        console.warn(f"the studio is at {url}; Ctrl-C stops it")
        if not no_browser:
            webbrowser.open(url)  # it waits until the service answers
        settings = Settings(
            data=Path(data),
            workers=os.cpu_count() or 1,
            hosts=() if local else None,
        )
        hosted = applications(stores=stores, folders=folders, fetch=fetch)
        serve(settings, listener, extensions=hosted)
    return 0


def _name(page: str) -> str:
    """The name of a new project: that of the folder of its pages."""
    path = Path(page.partition("@")[0].removeprefix("git:")).absolute()
    folder = path.parent if path.is_file() else path
    return _UNFIT.sub(" ", folder.name).strip(" .")[:80] or "pages"
