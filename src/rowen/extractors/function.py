"""Functions as extractors."""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import update_wrapper
from typing import Any, TypeAlias, overload

from rowen.extractors.identity import Identity, Surroundings, dependencies, identity_of
from rowen.extractors.locality import Locality, WholePage
from rowen.model import ExtractionError, ExtractorError, Page, Record, Records, RowenError

Found: TypeAlias = Iterable[Mapping[str, object]]


class Function:
    """A function of a text that gives mappings of fields to spans, made an extractor.

    It can still be called as the function that it was. What it raises, and spans outside the page,
    become an `ExtractionError` that names the page. Without a version its identity is its code: see
    `rowen.extractors.identity`.
    """

    def __init__(
        self,
        function: Callable[[str], Found],
        *,
        name: str,
        version: str | None = None,
        locality: Locality,
        fields: tuple[str, ...] = (),
        depends: Iterable[str] = (),
    ) -> None:
        update_wrapper(self, function)
        self.function = function
        self.name = name
        self.given_version = version
        self.locality = locality
        self.fields = fields
        self.depends = tuple(dependencies(depends))

    @property
    def version(self) -> str:
        """As given, else a digest of the code.

        It is made at each call, for what the code refers to may change: helpers that stand below
        it come later, and in a notebook they are written again and again.
        """
        return self.identity().digest[:12] if self.given_version is None else self.given_version

    def identity(self, surroundings: Surroundings | None = None) -> Identity:
        """What the function is, with all of its own package that it refers to."""
        return identity_of(self.function, depends=self.depends, surroundings=surroundings)

    def __call__(self, text: str) -> Found:
        """What the function itself gives."""
        return self.function(text)

    def extract(self, page: Page | str) -> Records:
        """The function's records, in its order."""
        return Records(self._records(Page.of(page)))

    def _records(self, page: Page) -> Iterator[Record]:
        try:
            for found in self.function(page.text) or ():
                yield Record.from_mapping(page, found)
        except RowenError:
            raise
        except Exception as error:
            reason = f"failed: {type(error).__name__}: {error}"
            raise ExtractionError(self.name, page.id, reason) from error

    def __reduce__(self) -> str | tuple[Any, ...]:
        """By its name where a module has it: the function itself goes by that name no more."""
        module, name = str(self.__module__), str(vars(self).get("__qualname__"))
        if _attribute(module, name) is self:
            return _attribute, (module, name)
        return self.as_parts()

    def as_parts(self) -> tuple[Any, ...]:
        """For pickle: by what it is made of."""
        return _restore, (type(self), vars(self))

    def __repr__(self) -> str:
        version = "by its code" if self.given_version is None else self.given_version
        return f"<extractor {self.name!r} version {version}>"


def _name_of(function: object) -> str:
    found = getattr(function, "__name__", None)
    if not isinstance(found, str):
        raise ExtractorError(f"give {type(function).__name__} objects a name: extractor(name=...)")
    return found


def _attribute(module: str, name: str) -> object:
    """What a module has by that name, which may lie in classes; None where there is none."""
    found: object = sys.modules.get(module)
    if found is None:
        from importlib import import_module

        found = import_module(module)
    for part in name.split("."):
        found = getattr(found, part, None)
    return found


def _restore(kind: type[Function], state: dict[str, Any]) -> Function:
    made = kind.__new__(kind)
    vars(made).update(state)
    return made


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
) -> Function | Callable[[Callable[[str], Found]], Function]:
    """Make a function an extractor: plainly `@extractor`, or with options `@extractor(name=...)`.

    Without a locality the whole page counts: correct for any function, and reused least. Without a
    version the code counts, that of the function and of all in its package that it refers to;
    `depends` names other packages whose versions count too.
    """

    def decorate(function: Callable[[str], Found]) -> Function:
        return Function(
            function,
            name=name or _name_of(function),
            version=version,
            locality=locality or WholePage(),
            fields=tuple(fields),
            depends=depends,
        )

    return decorate if function is None else decorate(function)
