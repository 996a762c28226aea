"""`rowen studio`: the service with the studio opened."""

import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import click

from rowen.cli.app import common_options
from rowen.cli.serve import address, place_options, warn_of_strangers
from rowen.model.errors import InputError

if TYPE_CHECKING:
    from rowen.cli.console import Console
    from rowen.model import Page
    from rowen.service.fetching import Reach
    from rowen.studio.project import Project

_UNFIT = re.compile(r"[^\w.@+-]+")


@click.command(short_help="Mark pages in the browser and learn a wrapper.")
@click.argument("pages", metavar="[PAGE...]", nargs=-1)
@click.option("--project", help="The project to open or make. [default: named after the pages]")
@place_options
@click.option("--no-browser", is_flag=True, help="Only tell the address.")
@common_options
def command(
    *,
    pages: tuple[str, ...],
    project: str | None,
    host: str,
    port: int,
    data: str,
    stores: tuple[str, ...],
    fetch: "Reach | None",
    no_browser: bool,
    quiet: bool,
    verbose: bool,
) -> int:
    """Open the studio in the browser, with each PAGE in a project.

    Select text, press a field's key: what is learned shows at once on all pages. PAGE is what
    `rowen extract` takes: a file, a folder, a .warc, .parquet or .jsonl file, or git:REPO@REV.
    Everything is saved as it happens, in the folder studio/PROJECT of the data folder; Ctrl-C ends.

    \b
    rowen studio page1.html page2.html
    rowen studio crawl/ --project shop
    """  # noqa: D301  # click reads the backspace
    import webbrowser

    from rowen.cli.console import Console
    from rowen.service.app import Settings
    from rowen.service.gate import is_loopback
    from rowen.service.logs import set_up_logs
    from rowen.service.realms import STUDIO
    from rowen.service.server import listen, serve

    console = Console(quiet=quiet, verbose=verbose)
    with listen(host, port) as listener:
        local = is_loopback(listener.getsockname()[0])
        if not local:
            warn_of_strangers(console, host)
        url = f"{address(host, listener)}/studio"
        if pages or project:
            name = project or _name(pages[0])
            _fill(Path(data) / STUDIO, name, pages, console)
            url += f"#{quote(name, safe='')}"
        set_up_logs(quiet=quiet, verbose=verbose)
        console.warn(f"the studio is at {url}; Ctrl-C ends it")
        if not no_browser:
            webbrowser.open(url)  # it waits until the service answers
        settings = Settings(
            data=Path(data),
            workers=os.cpu_count() or 1,
            hosts=() if local else None,
            stores=stores,
            fetch=fetch,
        )
        serve(settings, listener)
    return 0


def _name(page: str) -> str:
    """What a project is called after: the folder that its pages are in."""
    path = Path(page.partition("@")[0].removeprefix("git:")).absolute()
    folder = path.parent if path.is_file() else path
    return _UNFIT.sub(" ", folder.name).strip(" .")[:80] or "pages"


def _fill(folder: Path, name: str, pages: Sequence[str], console: "Console") -> None:
    """Open the project, or make it, and add the pages that it has not got yet."""
    from rowen.sources import open_pages
    from rowen.studio.projects import Projects

    source = open_pages(pages) if pages else None
    projects = Projects(folder)
    try:
        known = projects.get(name)
        project = known or projects.create(name)
        if source is not None:
            added = source.pages(on_error=lambda error: console.complain(str(error)))
            _add(project, added, console)
            if not project.state.pages:
                if known is None:
                    projects.delete(name)
                raise InputError(f"no pages in {source.name}")
    finally:
        projects.close()


def _add(project: "Project", pages: "Iterable[Page]", console: "Console") -> None:
    from rowen.documents.charset import encode

    known = {project.page(page).text for page in project.state.pages}
    for page in pages:
        if page.text in known:
            continue
        known.add(page.text)
        try:
            project.add_page(page.id, encode(page.text))
        except InputError as error:
            console.complain(str(error))
