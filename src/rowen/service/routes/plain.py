"""Routes whose options are words of a list, read without the framework's machinery."""

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
    """Calls its function at once where a query needs nothing and has nothing but known words.

    Kept answers take much less time so. All else goes the usual way, which tells what is wrong with
    it; the description of the interface is the usual one, too.
    """

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request that matches the path; errors are answered around all routes."""
        options = self._options(scope)
        if options is None:
            await super().handle(scope, receive, send)
            return
        request = Request(scope, receive, send)
        response: Response = await self.endpoint(request, **scope["path_params"], **options)
        await response(scope, receive, send)

    def _options(self, scope: Scope) -> dict[str, str] | None:
        """What is asked for, where it can be told from here."""
        known = self._known
        if known is None or scope["method"] not in (self.methods or ()):
            return None
        given = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        options = dict(given)
        fit = len(options) == len(given) and all(
            word in known.get(name, ()) for name, word in given
        )
        return options if fit else None

    @cached_property
    def _known(self) -> dict[str, frozenset[str]] | None:
        """The words of each option; None where the function needs more than the path."""
        given = signature(self.endpoint).parameters.values()
        needed = sum(one.default is Parameter.empty for one in given)
        if needed > 1 + len(self.param_convertors):  # beside the request
            return None
        hints = get_type_hints(self.endpoint, include_extras=True)
        return {name: words for name, hint in hints.items() if (words := _words(hint))}


def _words(hint: Any) -> frozenset[str]:
    """Those of a `Literal`, which may be optional and annotated."""
    if get_origin(hint) is Literal:
        return frozenset(get_args(hint))
    if get_origin(hint) is Annotated:
        return _words(get_args(hint)[0])
    if get_origin(hint) in {Union, UnionType}:
        return frozenset().union(*map(_words, get_args(hint)))
    return frozenset()
