"""A sink in a PostgreSQL database (`pip install rowen[postgres]`)."""

import io
import os
import ssl
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date, datetime
from decimal import Decimal
from typing import Any, ClassVar
from urllib.parse import parse_qsl, unquote, urlsplit

from rowen.model.errors import OutputError, UsageError
from rowen.model.extras import needs
from rowen.records.arrow import without_zone
from rowen.records.columns import Column, Kind, text_of
from rowen.sinks.layout import Row
from rowen.sinks.sql import SqlSink, quoted, writable

with needs("postgres", "a PostgreSQL target"):
    import pg8000.exceptions
    import pg8000.native

CONNECT_SECONDS = 30
"""Limit: seconds to wait for an answer of the server while connecting."""

_PORT = 5432
_SETTINGS = {"host", "port", "user", "password", "dbname", "sslmode", "application_name"}
_LOCK = 0x726F77656E
"""The number of the lock that one synchronisation at a time has ("rowen")."""


class PostgresSink(SqlSink):
    """Columns have PostgreSQL's own types, arrays included."""

    types: ClassVar[dict[Kind, str]] = {
        "string": "text",
        "float": "double precision",
        "integer": "bigint",
        "decimal": "numeric",
        "boolean": "boolean",
        "date": "date",
        "datetime": "timestamp",
    }
    list_type = "[]"
    identifier_bytes = 63

    def __init__(self, address: str, *, prefix: str) -> None:
        settings, target = _settings(address)
        super().__init__(target, prefix=prefix)
        with self._reporting():
            self._connection = pg8000.native.Connection(**settings)
            # A connection has no limit of time while it works: a large table takes its time.
            self._connection._usock.settimeout(None)  # noqa: SLF001  # it has no other way

    def _close(self) -> None:
        try:
            self._connection.close()
        except self._errors():
            pass  # the server is gone, and so is the connection

    def _execute(self, statement: str, values: Sequence[Any] = ()) -> list[Row]:
        names = {f"v{number}": value for number, value in enumerate(values)}
        for name in names:
            statement = statement.replace("?", f":{name}", 1)
        rows = self._connection.run(statement, **names)
        return [tuple(row) for row in rows or ()]

    def _load(self, table: str, columns: Sequence[Column], rows: Sequence[Row]) -> None:
        lines = (
            ",".join(map(_copied, row, (column.many for column in columns))) + "\n" for row in rows
        )
        stream = io.BytesIO("".join(lines).encode())
        self._connection.run(f"COPY {quoted(table)} FROM STDIN WITH (FORMAT csv)", stream=stream)

    def _errors(self) -> tuple[type[Exception], ...]:
        return (pg8000.exceptions.Error, OSError)

    def _exists(self, table: str) -> bool:
        found = "SELECT to_regclass(quote_ident(?)) IS NOT NULL"
        return bool(self._execute(found, (table,))[0][0])

    def _begin(self) -> None:
        super()._begin()
        # One synchronisation at a time: the next one waits here until the transaction has ended.
        self._execute(f"SELECT pg_advisory_xact_lock({_LOCK})")

    @contextmanager
    def _reporting(self) -> Iterator[None]:
        try:
            yield
        except self._errors() as error:
            raise OutputError(f"can't write {self.target}: {_reason(error)}") from error


def _settings(address: str) -> tuple[dict[str, Any], str]:
    """How to connect, and the address without its password, for messages.

    What the address does not say comes from the variables that PostgreSQL's own programs read.
    """
    try:
        parts = urlsplit(address)
        query = dict(parse_qsl(parts.query, strict_parsing=bool(parts.query)))
        port = parts.port or int(query.get("port") or os.environ.get("PGPORT") or _PORT)
    except ValueError as error:
        raise UsageError(f"the address of the PostgreSQL server is wrong: {error}") from None
    if not address.startswith(("postgresql://", "postgres://")):
        raise UsageError("a PostgreSQL server is named like postgresql://USER@HOST/DATABASE")
    if unknown := query.keys() - _SETTINGS:
        raise UsageError(
            f"unknown setting {min(unknown)!r} in the address of the PostgreSQL server: "
            f"{', '.join(sorted(_SETTINGS))}"
        )
    environment = os.environ
    host = unquote(parts.hostname or "") or query.get("host") or environment.get("PGHOST", "")
    user = unquote(parts.username or "") or query.get("user") or environment.get("PGUSER")
    user = user or environment.get("USER") or "postgres"
    database = unquote(parts.path.strip("/")) or query.get("dbname")
    database = database or environment.get("PGDATABASE") or user
    password = unquote(parts.password or "") or query.get("password")
    password = password or environment.get("PGPASSWORD")
    settings: dict[str, Any] = {
        "user": user,
        "password": password,
        "database": database,
        "timeout": CONNECT_SECONDS,
        "application_name": query.get("application_name", "rowen"),
        "ssl_context": _encryption(query.get("sslmode") or environment.get("PGSSLMODE")),
    }
    if not host or host.startswith("/"):
        folder = host or "/var/run/postgresql"
        settings["unix_sock"] = f"{folder}/.s.PGSQL.{port}"
        settings["ssl_context"] = None
    else:
        settings.update(host=host, port=port)
    shown = host if not host.startswith("/") else ""
    return settings, f"postgresql://{user}@{shown}{f':{port}' if shown else ''}/{database}"


def _encryption(mode: str | None) -> ssl.SSLContext | bool | None:
    """What a mode of PostgreSQL means: None tries encryption, True and a context insist on it."""
    match mode:
        case None | "prefer" | "allow":
            return None
        case "disable":
            return False
        case "require":
            return True
        case "verify-ca" | "verify-full":
            context = ssl.create_default_context()
            context.check_hostname = mode == "verify-full"
            return context
        case _:
            raise UsageError(f"unknown sslmode {mode!r}")


def _reason(error: Exception) -> str:
    """What went wrong, in a line."""
    cause = error.__cause__
    if isinstance(cause, OSError):  # behind the driver's own words for a failed connection
        return f"no connection: {cause.strerror or cause}"
    content = error.args[0] if error.args else None
    if isinstance(content, dict):  # the fields of the server's message
        return str(content.get("M", error))
    return str(error).strip().split("\n")[0] or type(error).__name__


def _copied(value: Any, many: bool) -> str:  # noqa: FBT001  # called by map
    """A cell as COPY reads it in CSV: unquoted and empty for NULL."""
    if value is None:
        return ""
    return _in_quotes(_array(value) if many and isinstance(value, list) else _text(value))


def _array(values: Sequence[Any]) -> str:
    items = (
        "NULL"
        if value is None
        else '"' + _text(value).replace("\\", "\\\\").replace('"', '\\"') + '"'
        for value in values
    )
    return "{" + ",".join(items) + "}"


def _text(value: Any) -> str:
    if isinstance(value, datetime):
        return without_zone(value).isoformat(sep=" ")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Decimal):
        return format(value, "f")
    # PostgreSQL stores no NUL characters.
    return writable(text_of(value)).replace("\0", "\N{REPLACEMENT CHARACTER}")


def _in_quotes(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'
