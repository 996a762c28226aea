"""Arrow tables as data frames; the packages for them are the user's choice."""

from types import ModuleType
from typing import TYPE_CHECKING, Any

from rowen.model import UsageError
from rowen.model.extras import needs

with needs("store", "a table of records"):
    import pyarrow as pa

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl


def to_pandas(table: pa.Table) -> "pd.DataFrame":
    """A data frame whose column types follow from the table's alone.

    By default, missing values turn whole numbers into floats and truth values into objects. So
    these get pandas' types with missing values, and decimals stay exact.
    """
    pandas = _imported("pandas")

    def dtype(kind: pa.DataType) -> Any:
        if pa.types.is_integer(kind):
            return pandas.Int64Dtype()
        if pa.types.is_boolean(kind):
            return pandas.BooleanDtype()
        return pandas.ArrowDtype(kind) if pa.types.is_decimal(kind) else None

    frame: pd.DataFrame = table.to_pandas(types_mapper=dtype, date_as_object=False)
    return frame


def to_polars(table: pa.Table) -> "pl.DataFrame":
    """A data frame of Polars."""
    frame: pl.DataFrame = _imported("polars").DataFrame(table)
    return frame


def _imported(package: str) -> ModuleType:
    from importlib import import_module

    try:
        return import_module(package)
    except ModuleNotFoundError as error:
        if error.name != package:
            raise
        raise UsageError(f"data frames of {package} need it: pip install {package}") from None
