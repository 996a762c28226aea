"""What extractors take along to the workers of a cluster: themselves, and their author's modules.

    script.py, helper.py     the author's own: their files travel, and workers import them
    numpy, spacy             installed packages: workers must have them

An extractor is pickled. What is defined in a script or a notebook goes by its value; what a module
has goes by its name, and the module's files go with it.
"""

import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from rowen.extractors.function import Function
from rowen.extractors.own_modules import home_of, is_installed
from rowen.model.errors import ExtractorError
from rowen.recycling.task import Job

MODULE_BYTES = 16 * 1024 * 1024
"""Limit: bytes of own modules that travel to workers, with each partition; a package that is
larger holds data or a model, and should be installed there."""

_EVERYWHERE = sys.stdlib_module_names | {"rowen", "numpy", "regex", "_regex", "ahocorasick_rs"}
"""Modules that every worker has."""

_BY_VALUE = {"__main__", "__mp_main__"}


class Luggage(NamedTuple):
    """Jobs, pickled, and the files of modules by their path below a folder for imports."""

    parcels: Sequence[bytes]
    files: Mapping[str, bytes]
    safe: bool = False
    """Whether it needs nothing that Rowen itself does not need, so that any worker can load it."""

    def unpack(self, folder: str) -> None:
        """Write the files."""
        for name, content in self.files.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)


def packed(jobs: Iterable[Job]) -> Luggage:
    """The luggage of a run's jobs; ExtractorError if one can't be sent."""
    modules: set[str] = set()
    parcels = [_parcel(job, modules) for job in jobs]
    files: dict[str, bytes] = {}
    size = 0
    for name, place in sorted(_with_those_beside(modules).items()):
        for path, content in _files_of(place):
            files[path] = content
            size += len(content)
            if size > MODULE_BYTES:
                raise ExtractorError(
                    f"the module {name!r} can't be sent to the Dask workers: it has more than "
                    f"{MODULE_BYTES:,} bytes with others. Install it there as a package"
                )
    tops = {name.partition(".")[0] for name in modules}
    return Luggage(parcels, files, safe=tops <= _EVERYWHERE)


def _parcel(job: Job, modules: set[str]) -> bytes:
    """A job, pickled together with what is defined in a script or a notebook.

    The names of the modules that it refers to are added to a set.
    """
    import cloudpickle

    class Parcels(cloudpickle.Pickler):  # type: ignore[misc]  # untyped
        """Functions go with their code, not by name: a name may have another meaning there."""

        def reducer_override(self, value: object) -> Any:
            modules.add(value.__name__ if isinstance(value, ModuleType) else home_of(value))
            if isinstance(value, Function):
                modules.update(value.identity().surroundings.packages)
                return value.as_parts()
            return super().reducer_override(value)

    stream = BytesIO()
    try:
        Parcels(stream).dump(job)
    except ExtractorError:
        raise
    except Exception as error:
        reason = f"{type(error).__name__}: {error}".split("\n")[0]
        raise ExtractorError(
            f"extractor {job.name!r} can't be sent to the Dask workers: {reason}"
        ) from error
    return stream.getvalue()


def _with_those_beside(modules: Iterable[str]) -> dict[str, Path]:
    """The places of own modules at the top among these; for one of no package, all in its folder.

    Also of modules that could not be imported here: what they need may be on the workers only.
    """
    named = {name.partition(".")[0] for name in modules}
    own = {name: place for name in named if (place := _own_place(name)) is not None}
    folders = {place.parent for place in own.values() if place.is_file()}
    for name in {name.partition(".")[0] for name in sys.modules} - own.keys():
        place = _own_place(name)
        if place is not None and place.parent in folders:
            own[name] = place
    return own


def _own_place(name: str) -> Path | None:
    """The file of a module or the folder of a package, if it is an author's and not installed."""
    if name in _EVERYWHERE or name in _BY_VALUE:
        return None
    module = sys.modules.get(name)
    spec = getattr(module, "__spec__", None)
    if module is None:
        with suppress(ImportError, ValueError):
            spec = find_spec(name)
    folders = list(getattr(spec, "submodule_search_locations", None) or ())
    file = folders[0] if folders else getattr(spec, "origin", None)
    if not isinstance(file, str) or not Path(file).exists() or is_installed(file):
        return None
    return Path(file).absolute()


def _files_of(place: Path) -> Iterator[tuple[str, bytes]]:
    """The file of a module, or all files of a package that are neither caches nor hidden."""
    if not place.is_dir():
        yield place.name, place.read_bytes()
        return
    for root, folders, names in os.walk(place):
        folders[:] = [name for name in folders if name != "__pycache__" and name[0] != "."]
        for name in names:
            if name[0] != "." and not name.endswith(".pyc"):
                path = Path(root, name)
                yield str(path.relative_to(place.parent)), path.read_bytes()
