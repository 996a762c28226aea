"""Every error that Rowen raises on purpose; each class has its exit code and its HTTP status.

>>> import rowen
>>> from rowen.errors import ExtractorError
>>> try:
...     rowen.Pattern("(")
... except ExtractorError as error:
...     print(error.exit_code, error.http_status)
4 422
"""

from rowen.model import errors as _errors
from rowen.model.errors import *  # noqa: F403  # that module lists them, once for all

__all__: list[str] = []
__all__ += _errors.__all__
