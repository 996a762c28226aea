"""A fast path for routes whose options are words from a list."""

from functools import cached_property
from inspect import Parameter, signature
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints
from urllib.parse import parse_qsl

from fastapi import Request
from fastapi.responses import Response
from fastapi.routing import APIRoute
from starlette.types import Receive, Scope, Send


class PlainRoute(APIRoute):
    """Calls its function without FastAPI's validation where the query has only known words.

    Validation takes most of the time of a stored response. All other requests go the usual way,
    which reports what is wrong. The OpenAPI description is unchanged.
    """

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request that matches the path."""
        options = self._options(scope)
        if options is None:
            await super().handle(scope, receive, send)
            return
        request = Request(scope, receive, send)
        response: Response = await self.endpoint(request, **scope["path_params"], **options)
        await response(scope, receive, send)

    def _options(self, scope: Scope) -> dict[str, str] | None:
        """The options of a request; None where they need validation."""
        allowed = self._allowed
        if allowed is None or scope["method"] not in (self.methods or ()):
            return None
        pairs = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        options = dict(pairs)
        # A name that comes twice goes the usual way, so that both ways answer alike.
        is_valid = len(options) == len(pairs) and all(
            word in allowed.get(name, ()) for name, word in pairs
        )
        return options if is_valid else None

    @cached_property
    def _allowed(self) -> dict[str, frozenset[str]] | None:
        """The words of each option; None where the function needs more than the path."""
        parameters = signature(self.endpoint).parameters.values()
        needed = sum(parameter.default is Parameter.empty for parameter in parameters)
        if needed > 1 + len(self.param_convertors):  # the one beside them is the request
            return None
        hints = get_type_hints(self.endpoint, include_extras=True)
        return {name: words for name, hint in hints.items() if (words := _words(hint))}


def _words(hint: Any) -> frozenset[str]:
    """The words of a `Literal`, which may be optional and annotated."""
    if get_origin(hint) is Literal:
        return frozenset(get_args(hint))
    if get_origin(hint) is Annotated:
        return _words(get_args(hint)[0])
    if get_origin(hint) in {Union, UnionType}:
        return frozenset().union(*map(_words, get_args(hint)))
    return frozenset()
