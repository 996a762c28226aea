"""Sinks: copies of a store's records in databases and files that other programs read.

store ──▶ rows ──▶ sqlite, duckdb, postgres        changed rows only, in one transaction
              ├──▶ iceberg                         changed rows only, in one commit
              └──▶ parquet                         one file per extractor, replaced as a whole
"""

from rowen.model import UsageError
from rowen.sinks.sink import Sink

__all__ = ["KINDS", "open_sink"]

KINDS = (
    "sqlite:FILE",
    "duckdb:FILE",
    "postgresql://USER@HOST/DATABASE",
    "parquet:DIR",
    "iceberg:DIR",
    "iceberg://CATALOG/NAMESPACE",
)
"""How targets are written."""


def open_sink(target: str, *, prefix: str = "") -> Sink:
    """Open a target such as `duckdb:books.duckdb`; `prefix` begins the names of its tables."""
    kind, separator, place = target.partition(":")
    if not separator or not place:
        raise UsageError(f"unknown target {target!r}: give one of {', '.join(KINDS)}")
    match kind:
        case "sqlite":
            from rowen.sinks.sqlite import SqliteSink

            return SqliteSink(place, prefix=prefix)
        case "duckdb":
            from rowen.sinks.duckdb import DuckdbSink

            return DuckdbSink(place, prefix=prefix)
        case "postgresql" | "postgres":
            from rowen.sinks.postgres import PostgresSink

            return PostgresSink(target, prefix=prefix)
        case "parquet":
            from rowen.sinks.parquet import ParquetSink

            return ParquetSink(place, prefix=prefix)
        case "iceberg":
            from rowen.sinks.iceberg import IcebergSink

            return IcebergSink(place, prefix=prefix)
        case _:
            raise UsageError(f"unknown target {target!r}: give one of {', '.join(KINDS)}")
