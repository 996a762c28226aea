"""Functions as extractors."""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import update_wrapper
from typing import Any, TypeAlias, overload

from rowen.extractors.identity import Identity, dependencies, identity_of
from rowen.extractors.locality import Locality, WholePage
from rowen.extractors.own_modules import Surroundings
from rowen.model import ExtractionError, ExtractorError, Page, RowenError
from rowen.records import Record, Records
from rowen.records.schema import Schema

Found: TypeAlias = Iterable[Mapping[str, object]]


class Function:
    """An extractor made of a function that takes a text and returns mappings of fields to spans.

    It can still be called like the function. Exceptions, and spans outside the page, become an
    `ExtractionError` that names the page. Without a version its code is its identity: see
    `rowen.extractors.identity`.

    >>> import rowen
    >>> @rowen.extractor(fields=["first"], version="1")
    ... def first_letter(text):
    ...     return [{"first": (0, 1)}]
    >>> first_letter.name, first_letter.extract("Ada")[0].values
    ('first_letter', {'first': 'A'})
    """

    runs_other_code = True
    """It may end its process: a run keeps it away from its own."""

    def __init__(
        self,
        function: Callable[[str], Found],
        *,
        name: str,
        version: str | None = None,
        locality: Locality,
        fields: tuple[str, ...] = (),
        depends: Iterable[str] = (),
        schema: object = None,
    ) -> None:
        update_wrapper(self, function)
        self.function = function
        self.name = name
        self.given_version = version
        self.locality = locality
        self.fields = fields
        self.depends = tuple(dependencies(depends))
        self.schema = Schema.of(schema)

    @property
    def version(self) -> str:
        """The version that the author set, else a digest of the code.

        It is computed at each call, because what the code refers to may change: functions below it
        in the file are defined later, and cells of a notebook are run again.
        """
        return self.identity().digest[:12] if self.given_version is None else self.given_version

    def identity(self, surroundings: Surroundings | None = None) -> Identity:
        """The identity of the function, with everything in its package that it refers to."""
        return identity_of(self.function, depends=self.depends, surroundings=surroundings)

    def __call__(self, text: str) -> Found:
        """Call the function itself."""
        return self.function(text)

    def extract(self, page: Page | str) -> Records:
        """The function's records, in its order."""
        records = Records(self._records(Page.of(page)), fields=self.fields)
        return records.with_schema(self.schema) if self.schema else records

    def _records(self, page: Page) -> Iterator[Record]:
        try:
            for fields in self.function(page.text) or ():
                yield Record.from_mapping(page, fields)
        except RowenError:
            raise
        except Exception as error:
            reason = f"failed: {type(error).__name__}: {error}"
            raise ExtractionError(self.name, page.id, reason) from error

    def __reduce__(self) -> str | tuple[Any, ...]:
        """Pickle by name if a module has it: the name now refers to the extractor."""
        module, name = str(self.__module__), str(vars(self).get("__qualname__"))
        if _attribute(module, name) is self:
            return _attribute, (module, name)
        return self.as_parts()

    def as_parts(self) -> tuple[Any, ...]:
        """Pickle by its parts."""
        return _restore, (type(self), vars(self))

    def __repr__(self) -> str:
        version = "by its code" if self.given_version is None else self.given_version
        return f"<extractor {self.name!r} version {version}>"


def _name_of(function: object) -> str:
    name = getattr(function, "__name__", None)
    if not isinstance(name, str):
        raise ExtractorError(f"a {type(function).__name__} needs a name: extractor(name=...)")
    return name


def _attribute(module: str, name: str) -> object:
    """A module's attribute, which may be inside classes; None if there is none."""
    target: object = sys.modules.get(module)
    if target is None:
        from importlib import import_module

        target = import_module(module)
    for part in name.split("."):
        target = getattr(target, part, None)
    return target


def _restore(kind: type[Function], state: dict[str, Any]) -> Function:
    function = kind.__new__(kind)
    vars(function).update(state)
    return function


@overload
def extractor(function: Callable[[str], Found], /) -> Function: ...
@overload
def extractor(
    *,
    name: str | None = None,
    version: str | None = None,
    locality: Locality | None = None,
    fields: Iterable[str] = (),
    depends: Iterable[str] = (),
    schema: object = None,
) -> Callable[[Callable[[str], Found]], Function]: ...
def extractor(
    function: Callable[[str], Found] | None = None,
    /,
    *,
    name: str | None = None,
    version: str | None = None,
    locality: Locality | None = None,
    fields: Iterable[str] = (),
    depends: Iterable[str] = (),
    schema: object = None,
) -> Function | Callable[[Callable[[str], Found]], Function]:
    r"""Make a function an extractor: `@extractor`, or with options `@extractor(name=...)`.

    The default locality is the whole page: correct for any function, but reused least. The default
    version is a digest of the code of the function and of everything in its package that it refers
    to; `depends` names other packages whose versions count, too. `schema` says what each field
    holds: `{"price": "price"}`, a pydantic model or a dataclass.

    >>> import re, rowen
    >>> @extractor(locality=rowen.Segments("\n"))
    ... def rooms(text):
    ...     for match in re.finditer(r"CS \d{3}", text):
    ...         yield {"room": match.span()}
    >>> rooms.extract("Talks: CS 105")
    Records(1: [Record(room='CS 105')])
    """

    def decorate(function: Callable[[str], Found]) -> Function:
        return Function(
            function,
            name=name or _name_of(function),
            version=version,
            locality=locality or WholePage(),
            fields=tuple(fields),
            depends=depends,
            schema=schema,
        )

    return decorate if function is None else decorate(function)
