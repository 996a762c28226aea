import sqlite3
from decimal import Decimal
from itertools import count
from pathlib import Path

import duckdb
import pg8000.native
import pytest
from postgres_server import PROGRAMS, postgres_server

KINDS = ("sqlite", "duckdb", "postgres")
_NUMBERS = count()


@pytest.fixture(scope="session")
def postgres():
    if not PROGRAMS:
        pytest.skip("PostgreSQL's server is not installed (Debian: postgresql)")
    with postgres_server() as folder:
        yield folder


class Database:
    """A fresh database that a sink writes, and that the tests read by its own driver."""

    def __init__(self, kind, folder, server=None):
        self.kind = kind
        name = f"db{next(_NUMBERS)}"
        if kind == "postgres":
            self._server = {"user": "rowen", "unix_sock": f"{server}/.s.PGSQL.5432"}
            self._server["ssl_context"] = False
            self._name = name
            with pg8000.native.Connection(database="postgres", **self._server) as connection:
                connection.run(f"CREATE DATABASE {name}")
            self.target = f"postgresql://rowen@/{name}?host={server}"
        else:
            self._path = Path(folder) / f"{name}.{kind}"
            self.target = f"{kind}:{self._path}"

    def run(self, statement):
        match self.kind:
            case "sqlite":
                with sqlite3.connect(self._path) as database:
                    cursor = database.execute(statement)
                    rows, names = cursor.fetchall(), [c[0] for c in cursor.description or ()]
                database.close()
            case "duckdb":
                with duckdb.connect(self._path) as database:
                    cursor = database.execute(statement)
                    rows, names = cursor.fetchall(), [c[0] for c in cursor.description or ()]
            case _:
                with pg8000.native.Connection(database=self._name, **self._server) as database:
                    rows = database.run(statement) or []
                    names = [column["name"] for column in database.columns or ()]
        return [
            {
                name: cell.normalize() if isinstance(cell, Decimal) else cell
                for name, cell in zip(names, row, strict=True)
            }
            for row in rows
        ]

    def table(self, name):
        """All rows, in the order of their ids; columns that are empty do not count."""
        rows = self.run(f'SELECT * FROM "{name}"')
        used = {column for row in rows for column, cell in row.items() if cell is not None}
        shown = [{column: row[column] for column in sorted(used)} for row in rows]
        return sorted(shown, key=lambda row: row["record_id"])


@pytest.fixture(params=KINDS)
def database(request, tmp_path):
    server = request.getfixturevalue("postgres") if request.param == "postgres" else None
    return Database(request.param, tmp_path, server)


@pytest.fixture
def another(database, tmp_path, request):
    """Makes more databases of the same kind."""
    server = request.getfixturevalue("postgres") if database.kind == "postgres" else None
    return lambda: Database(database.kind, tmp_path, server)
