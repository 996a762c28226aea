"""The identity of a function: a digest of its code and of everything in its package it refers to.

Stores keep results by an extractor's name and version. If the author sets no version, this digest
is the version, so that an edited function never gets the records of the old one.
"""

import sys
from collections.abc import Iterable
from hashlib import blake2b
from typing import NamedTuple

from rowen.extractors.object_graph import ObjectGraph
from rowen.extractors.own_modules import OwnModules, Surroundings
from rowen.model import ExtractorError

PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"
"""The Python version: bytecode can be compared only within one."""


class Identity(NamedTuple):
    """The digest of a function, and what it does not cover."""

    digest: str
    unwatched: tuple[str, ...]
    """Descriptions of objects that it refers to and whose content can't be seen."""
    surroundings: Surroundings

    @property
    def tagged(self) -> str:
        """The digest with the Python version that it is valid for."""
        return f"python {PYTHON}: {self.digest}"


def identity_of(
    function: object, *, depends: Iterable[str] = (), surroundings: Surroundings | None = None
) -> Identity:
    """The identity of a function or class; `depends` are packages whose versions count, too."""
    versions = dependencies(depends)
    written: set[tuple[str, str]] = set()
    while True:
        graph = ObjectGraph(function, OwnModules(function, surroundings), versions, written)
        if graph.written == written:
            break
        # A global that a function assigns is its state, not its code. Only a walk finds these
        # names, and leaving them out may reach less: walk again until nothing new is found.
        written = set(graph.written)
    environment = "\n".join((PYTHON, *(f"{name} {number}" for name, number in versions.items())))
    digest = blake2b(digest_size=16)
    digest.update(environment.encode())
    digest.update(graph.written_out().encode("utf-8", "surrogatepass"))
    unwatched = tuple(dict.fromkeys(graph.unwatched))
    return Identity(digest.hexdigest(), unwatched, graph.own.surroundings)


def dependencies(names: Iterable[str]) -> dict[str, str]:
    """The installed version of each package, by its name on PyPI or in an import."""
    from importlib.metadata import PackageNotFoundError, packages_distributions, version

    if isinstance(names, str):
        raise ExtractorError(f"depends must be a list of packages: [{names!r}]")
    versions = {}
    for name in sorted(set(names)):
        try:
            versions[name] = version(name)
        except (PackageNotFoundError, ValueError):
            owners = sorted(set(packages_distributions().get(name, ())))
            if not owners:
                raise ExtractorError(
                    f"depends names {name!r}, which is not an installed package"
                ) from None
            versions[name] = " ".join(f"{owner} {version(owner)}" for owner in owners)
    return versions
