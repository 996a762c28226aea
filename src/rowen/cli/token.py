"""`rowen token`: manage the access tokens of a service."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rowen.cli.app import common_options
from rowen.cli.quantities import read_moment, read_size

if TYPE_CHECKING:
    from rowen.service.tokens import Token

file_option = click.option(
    "--file",
    "file",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    required=True,
    help="The file that `rowen serve --auth` reads; it has only digests of tokens.",
)


@click.group(short_help="Manage access tokens.", no_args_is_help=False)
@common_options
def command(*, quiet: bool, verbose: bool) -> None:
    """Manage the access tokens of a service: rowen serve --auth FILE.

    A running service notices changes of the file within a second.

    \b
    rowen token add library --name intake --quota 10GB --rate 600/min --file tokens.json
    rowen token list --file tokens.json
    rowen token remove intake --file tokens.json
    """  # noqa: D301  # click reads the backspace


@command.command(short_help="Create an access token and print it.")
@click.argument("tenant")
@click.option("--name", help="The name of the token. [default: the tenant's name, with a number]")
@click.option("--expires", help="When it expires: 90d, 12h or a date. [default: never]")
@click.option(
    "--quota",
    help="This token can add documents only while the tenant stores less than this: 500MB, 10GB.",
)
@click.option(
    "--documents", type=click.IntRange(min=0), help="The same limit as a number of documents."
)
@click.option("--rate", help="How often it may be used: 10/s, 600/min, 5000/h. [default: no limit]")
@click.option(
    "--operator",
    is_flag=True,
    help="Allow it to see the whole service: /metrics, and all tenants in operations.",
)
@click.option("--reader", is_flag=True, help="Allow it only to read, not to add, change or delete.")
@file_option
@common_options
def add(
    *,
    tenant: str,
    name: str | None,
    expires: str | None,
    quota: str | None,
    documents: int | None,
    rate: str | None,
    operator: bool,
    reader: bool,
    file: str,
    quiet: bool,  # noqa: ARG001
    verbose: bool,  # noqa: ARG001
) -> int:
    """Create an access token for a tenant and print it. It is not stored, so keep it safe.

    A tenant is created with its first token. Tenants don't see each other's documents, and results
    are not reused between them.
    """
    from rowen.service.rates import Rate
    from rowen.service.tokens import add_token

    secret = add_token(
        Path(file),
        tenant,
        name=name,
        expires=None if expires is None else read_moment(expires),
        bytes=None if quota is None else read_size(quota),
        documents=documents,
        rate=None if rate is None else Rate.parse(rate),
        operator=operator,
        reader=reader,
    )
    click.echo(secret)
    return 0


@command.command("list", short_help="List the access tokens.")
@click.option(
    "-f",
    "--format",
    "format_",
    type=click.Choice(["text", "jsonl"]),
    default="text",
    show_default=True,
    help="The output format.",
)
@file_option
@common_options
def list_(*, file: str, format_: str, quiet: bool, verbose: bool) -> int:  # noqa: ARG001
    """List the access tokens of a file, one per line, without their secrets."""
    from rowen.service.tokens import read_tokens

    for token in read_tokens(Path(file)):
        settings = _settings(token)
        if format_ == "jsonl":
            click.echo(json.dumps(settings))
        else:
            name, tenant = settings.pop("name"), settings.pop("tenant")
            parts = (f"{key} {value}" for key, value in settings.items() if value is not None)
            click.echo(", ".join([f"{name}: tenant {tenant}", *parts]))
    return 0


@command.command(short_help="Remove an access token.")
@click.argument("name")
@file_option
@common_options
def remove(*, name: str, file: str, quiet: bool, verbose: bool) -> int:  # noqa: ARG001
    """Remove an access token by its name; the documents of its tenant stay."""
    from rowen.service.tokens import remove_token

    remove_token(Path(file), name)
    return 0


def _settings(token: "Token") -> dict[str, Any]:
    return {
        "name": token.name,
        "tenant": token.tenant,
        "created": token.created.isoformat(timespec="seconds"),
        "expires": token.expires and token.expires.isoformat(timespec="seconds"),
        "bytes": token.bytes,
        "documents": token.documents,
        "rate": token.rate and str(token.rate),
        "operator": token.operator or None,
        "reader": token.reader or None,
    }
