"""`rowen token`: who may use a service that asks for tokens."""

import json
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rowen.cli.app import common_options
from rowen.model.errors import InputError, UsageError

if TYPE_CHECKING:
    from rowen.service.tokens import Token

_SIZE = re.compile(r"(\d+(?:\.\d+)?) ?([kmgt]i?)?b?", re.IGNORECASE)
_POWERS = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4}
_SPAN = re.compile(r"(\d{1,5})([dh])")
_SPANS = {"d": timedelta(days=1), "h": timedelta(hours=1)}


file_option = click.option(
    "--file",
    "file",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    required=True,
    help="The file that `rowen serve --auth` reads; it has digests, no tokens.",
)


@click.group(short_help="Keep the tokens of a service.", no_args_is_help=False)
@common_options
def command(*, quiet: bool, verbose: bool) -> None:
    """Keep the tokens of a service that asks for them: rowen serve --auth FILE.

    A running service reads the file again when it has changed, within a second.

    \b
    rowen token add library --name intake --quota 10GB --rate 600/min --file tokens.json
    rowen token list --file tokens.json
    rowen token remove intake --file tokens.json
    """  # noqa: D301  # click reads the backspace


@command.command(short_help="Make a token, and print it this once.")
@click.argument("tenant")
@click.option("--name", help="What to call it. [default: the tenant's name, with a number]")
@click.option("--expires", help="When it ends: 90d, 12h or a date. [default: never]")
@click.option(
    "--quota",
    help="How much the tenant may hold, in all, for this token to add more: 500MB, 10GB.",
)
@click.option("--documents", type=click.IntRange(min=0), help="The same as a number of documents.")
@click.option("--rate", help="How often it may be used: 10/s, 600/min, 5000/h. [default: any]")
@click.option("--operator", is_flag=True, help="Let it see the numbers of the service: /metrics.")
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
    file: str,
    quiet: bool,  # noqa: ARG001
    verbose: bool,  # noqa: ARG001
) -> int:
    """Make a token for a tenant, and print it: it is kept nowhere else.

    Tenants come into being with their first token. None sees, or is served from, what another
    one has.
    """
    from rowen.service.rates import Rate
    from rowen.service.tokens import Token, changed_tokens, check_tenant, digest_of, new_secret

    secret = new_secret()
    token = Token(
        digest=digest_of(secret),
        tenant=check_tenant(tenant),
        name=name or "",
        created=datetime.now(UTC),
        expires=None if expires is None else _moment(expires),
        bytes=None if quota is None else _size(quota),
        documents=documents,
        rate=None if rate is None else Rate.parse(rate),
        operator=operator,
    )
    with changed_tokens(Path(file)) as tokens:
        chosen = _name(name, tenant, {one.name for one in tokens})
        tokens.append(replace(token, name=chosen))
    click.echo(secret)
    return 0


@command.command("list", short_help="Show what tokens there are.")
@click.option(
    "-f",
    "--format",
    "format_",
    type=click.Choice(["text", "jsonl"]),
    default="text",
    show_default=True,
    help="How to write them.",
)
@file_option
@common_options
def list_(*, file: str, format_: str, quiet: bool, verbose: bool) -> int:  # noqa: ARG001
    """Show the tokens of a file, a line each; the tokens themselves are not in it."""
    from rowen.service.tokens import read_tokens

    for token in read_tokens(Path(file)):
        told = _told(token)
        if format_ == "jsonl":
            click.echo(json.dumps(told))
        else:
            name, tenant = told.pop("name"), told.pop("tenant")
            rest = (f"{key} {value}" for key, value in told.items() if value is not None)
            click.echo(", ".join([f"{name}: tenant {tenant}", *rest]))
    return 0


@command.command(short_help="Remove a token.")
@click.argument("name")
@file_option
@common_options
def remove(*, name: str, file: str, quiet: bool, verbose: bool) -> int:  # noqa: ARG001
    """Remove a token by its name; what its tenant has stays where it is."""
    from rowen.service.tokens import changed_tokens

    with changed_tokens(Path(file)) as tokens:
        left = [one for one in tokens if one.name != name]
        if len(left) == len(tokens):
            raise InputError(f"there is no token {name!r} in {file}")
        tokens[:] = left
    return 0


def _size(text: str) -> int:
    """10GB is ten times 1000 to the third; 10GiB is of 1024."""
    if (found := _SIZE.fullmatch(text)) is None:
        raise UsageError(f"{text!r} is no size: write 500MB, 10GB or 1TiB")
    unit = (found[2] or "").lower()
    base = 1024 if unit.endswith("i") else 1000
    return int(float(found[1]) * base ** _POWERS[unit[:1]])


def _moment(text: str) -> datetime:
    """A time from now, or a date in UTC."""
    if found := _SPAN.fullmatch(text):
        return datetime.now(UTC) + int(found[1]) * _SPANS[found[2]]
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise UsageError(f"{text!r} is no time: write 90d, 12h or 2027-01-31") from None
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


def _name(given: str | None, tenant: str, taken: set[str]) -> str:
    """What a token is called: as it was given, or after its tenant."""
    if given is None:
        names = (f"{tenant}-{number}" if number > 1 else tenant for number in count(1))
        return next(name for name in names if name not in taken)
    if given in taken:
        raise UsageError(f"there is a token {given!r} already: remove it, or choose another name")
    if not given or not given.isprintable():
        raise UsageError("a token's name has letters that can be shown")
    return given


def _told(token: "Token") -> dict[str, Any]:
    return {
        "name": token.name,
        "tenant": token.tenant,
        "created": token.created.isoformat(timespec="seconds"),
        "expires": token.expires and token.expires.isoformat(timespec="seconds"),
        "bytes": token.bytes,
        "documents": token.documents,
        "rate": token.rate and str(token.rate),
        "operator": token.operator or None,
    }
