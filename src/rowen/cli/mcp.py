"""`rowen mcp`: tools for agents."""

import os
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rowen.cli.app import common_options
from rowen.model.errors import UsageError

if TYPE_CHECKING:
    from rowen.agents.server import Agents
    from rowen.cli.console import Console
    from rowen.studio.fetching import Reach

TOKEN = "ROWEN_MCP_TOKEN"  # noqa: S105  # the name of the variable
"""The variable with the token that requests over HTTP must carry."""

SHORTEST_TOKEN = 16
"""Limit: a token has at least this many characters; a shorter one can be guessed."""


@click.command(short_help="Serve tools for agents (Model Context Protocol).")
@click.argument("folders", metavar="[FOLDER...]", nargs=-1, type=click.Path())
@click.option(
    "--wrappers",
    type=click.Path(file_okay=False),
    help="The folder where wrappers are kept; created if missing.  [default: in memory]",
)
@click.option(
    "--library",
    type=click.Path(file_okay=False),
    help="The data folder of a library whose papers can be searched and read, as for `rowen "
    "library`.",
)
@click.option(
    "--fetch",
    type=click.Choice(("public", "any")),
    help="Let tools fetch pages by URL: from public addresses, or from any, including this "
    "machine's networks.  [default: none]",
)
@click.option("--http", is_flag=True, help="Serve HTTP instead of standard input and output.")
@click.option("--host", default="127.0.0.1", show_default=True, help="With --http: the address.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8081,
    show_default=True,
    help="With --http: the port; 0 chooses a free one.",
)
@common_options
def command(
    folders: tuple[str, ...],
    *,
    wrappers: str | None,
    library: str | None,
    fetch: "Reach | None",
    http: bool,
    host: str,
    port: int,
    quiet: bool,
    verbose: bool,
) -> int:
    """Serve Rowen's jobs as tools of the Model Context Protocol, on standard input and output.

    An agent's host starts this command itself: see the page on agents. Tools may read files in the
    FOLDERs only, and in no other; without FOLDER, pages must be passed as texts. They write nothing
    but wrappers, and work in confined processes with limits of time and memory.

    With --http the server listens on this machine only. If the variable ROWEN_MCP_TOKEN is set,
    requests must carry its value as a bearer token; on other addresses it must be set.

    \b
    rowen mcp crawl/ papers/ --wrappers wrappers/
    rowen mcp --fetch public
    rowen mcp --library rowen-data
    rowen mcp crawl/ --http --port 8081
    """  # noqa: D301  # click reads the backspace
    from rowen.agents.permissions import Permissions
    from rowen.cli.console import Console
    from rowen.model.extras import needs

    console = Console(quiet=quiet, verbose=verbose)
    permissions = Permissions(folders)
    with needs("mcp", "`rowen mcp`"):
        import anyio

        from rowen.agents.material import Material
        from rowen.agents.server import Agents
        from rowen.agents.shelf import Shelf
        from rowen.librarian.local import open_library
    with ExitStack() as stack:
        papers = None if library is None else stack.enter_context(open_library(Path(library)))
        agents = stack.enter_context(Agents(Material(permissions, fetch), Shelf(wrappers), papers))
        if not http:
            anyio.run(agents.server.run_stdio_async)
            return 0
        _serve(agents, console, host, port)
    return 0


def _serve(agents: "Agents", console: "Console", host: str, port: int) -> None:
    from rowen.agents.http import MCP_PATH, serve
    from rowen.service.gate import is_loopback
    from rowen.service.server import address, listen

    token = os.environ.get(TOKEN)
    if token is not None and len(token) < SHORTEST_TOKEN:
        raise UsageError(f"{TOKEN} must have {SHORTEST_TOKEN} characters or more")
    with listen(host, port) as listener:
        bound = listener.getsockname()[0]
        if token is None and not is_loopback(bound):
            raise UsageError(
                f"on {host} everyone who can reach it could use the tools: set {TOKEN} to a secret"
            )
        console.warn(f"tools for agents at {address(host, listener)}{MCP_PATH}; Ctrl-C stops it")
        serve(agents, listener, bound, token)
