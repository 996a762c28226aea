"""What a function is: a digest of its code, and of all of its own package that it refers to.

The function, what it refers to, what that refers to and so on make a graph: functions with their
code, classes with their methods, constants with their values. It ends at what other packages have,
which is known by its name alone. Two graphs are the same where all that can be reached from the
function is, whatever the objects' addresses are and in whatever order sets give their elements.
"""

import copyreg
import dataclasses
import enum
import functools
import os
import re
import sys
import types
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import blake2b
from importlib import import_module
from importlib.util import find_spec
from pathlib import PurePath
from typing import Any, NamedTuple

import regex

from rowen.extractors.bytecode import canonical_code
from rowen.extractors.definition import Defined
from rowen.extractors.references import References, names_in
from rowen.model import ExtractorError

IDENTITY_OBJECTS = 100_000
"""How many objects are looked at, besides plain data: a package has some thousands at most, and
what has more is a model or a table, which a version or `depends` should stand for."""

PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"
"""Bytecode is only comparable within one of these."""

_PLAIN_DEPTH = 40
_ATOMS = (type(None), bool, int, float, complex, bytes, type(...), type(NotImplemented), range)
_KNOWN = frozenset({"rowen", "numpy", "regex", "_regex"}) | sys.stdlib_module_names
"""Packages whose objects pickle as what they are worth, and alike in every process."""

_STATELESS = ("_thread.lock", "_thread.RLock", "_abc._abc_data")
_RESTLESS = ("random.Random", "random.SystemRandom", "os._Environ")
"""Objects that are others in every process; what is made with them is found by verification."""

_UNTOLD = frozenset(
    {
        "__dict__",
        "__weakref__",
        "__doc__",
        "__module__",
        "__qualname__",
        "__abstractmethods__",
        "_abc_impl",
        "__slotnames__",
        "__dataclass_fields__",
        "__dataclass_params__",
        "__parameters__",
        "__orig_bases__",
        "__annotations__",
        "__firstlineno__",
        "__static_attributes__",
        "__annotate__",
        "__annotate_func__",
        "__annotations_cache__",
    }
)
"""What a class has beside what its author wrote."""


class Surroundings(NamedTuple):
    """What counts as a function's own."""

    packages: tuple[str, ...]
    """Top-level names of modules."""
    roots: tuple[str, ...] = ()
    """The folders that they lie in: where those are is no part of an identity."""


class Identity(NamedTuple):
    """What a function is, as far as that can be told."""

    digest: str
    unwatched: tuple[str, ...]
    """What it refers to whose content can't be told, each in words."""
    surroundings: Surroundings

    @property
    def tagged(self) -> str:
        """With what it can be compared."""
        return f"python {PYTHON}: {self.digest}"


def identity_of(
    function: object, *, depends: Iterable[str] = (), surroundings: Surroundings | None = None
) -> Identity:
    """The identity of a function or a class; `depends` are packages whose versions count too."""
    versions = dependencies(depends)
    written: set[tuple[str, str]] = set()
    while True:
        walk = _Walk(function, _Own(function, surroundings), versions, written)
        if walk.written == written:
            break
        written = set(walk.written)  # globals that functions write: known, they are left out
    told = "\n".join((PYTHON, *(f"{name} {one}" for name, one in versions.items())))
    digest = blake2b(digest_size=16)
    digest.update(told.encode())
    digest.update(walk.written_out().encode("utf-8", "surrogatepass"))
    return Identity(digest.hexdigest(), tuple(dict.fromkeys(walk.unwatched)), walk.own.found)


def dependencies(names: Iterable[str]) -> dict[str, str]:
    """The installed version of each package, by what it is called on PyPI or in an import."""
    from importlib.metadata import PackageNotFoundError, packages_distributions, version

    if isinstance(names, str):
        raise ExtractorError(f"depends is a list of packages: [{names!r}]")
    found = {}
    for name in sorted(set(names)):
        try:
            found[name] = version(name)
        except (PackageNotFoundError, ValueError):
            owners = sorted(set(packages_distributions().get(name, ())))
            if not owners:
                raise ExtractorError(
                    f"depends names {name!r}, which is not an installed package"
                ) from None
            found[name] = " ".join(f"{one} {version(one)}" for one in owners)
    return found


class _Own:
    """Tells a function's own modules from those of others.

    Its own are those of its package. A script, or a module that is in no package, has those that
    lie in its folder as well: that is what its author would edit.
    """

    def __init__(self, function: object, surroundings: Surroundings | None) -> None:
        top = _home(_innermost(function)).partition(".")[0]
        self.known = {top: True}
        self.folder: str | None = None
        self.roots = set(surroundings.roots if surroundings else ())
        if surroundings is not None:
            self.known |= dict.fromkeys(surroundings.packages, True)
        module = sys.modules.get(top)
        folder = _folder_of(module)
        if folder is not None and not _is_installed(folder):
            self.roots.add(folder)
            if not hasattr(module, "__path__"):
                self.folder = folder

    def __contains__(self, module: object) -> bool:
        if not isinstance(module, str) or not module:
            return False
        top = module.partition(".")[0]
        if top not in self.known:
            self.known[top] = (
                self.folder is not None
                and top not in sys.stdlib_module_names
                and _folder_of(sys.modules.get(top)) == self.folder
            )
        return self.known[top]

    @property
    def found(self) -> Surroundings:
        packages = tuple(sorted(name for name, own in self.known.items() if own))
        return Surroundings(packages, tuple(sorted(self.roots)))


class _Part(NamedTuple):
    """Something that is referred to, and how to call it; None where nobody cares."""

    value: object
    where: str | None


class _Described(NamedTuple):
    label: str
    parts: list[_Part]
    ordered: bool = True


class _Walk:
    """All that can be reached from a function, as a graph of texts."""

    def __init__(
        self,
        function: object,
        own: _Own,
        versions: Mapping[str, str],
        written: set[tuple[str, str]],
    ) -> None:
        self.own = own
        self.versions = versions
        self.known_written = written
        self.written: set[tuple[str, str]] = set()
        self.unwatched: list[str] = []
        self.labels: list[str] = []
        self.next: list[list[int]] = []
        self.ordered: list[bool] = []
        self.numbers: dict[int, int] = {}
        self.leaves: dict[str, int] = {}
        self.held: list[object] = []  # addresses are only told apart while all objects live
        self.waiting: deque[tuple[int, _Part]] = deque()
        self.number(_Part(function, None))
        while self.waiting:
            number, part = self.waiting.popleft()
            label, parts, ordered = self.describe(part)
            self.labels[number] = label
            self.ordered[number] = ordered
            self.next[number] = [self.number(one) for one in parts]

    def number(self, part: _Part) -> int:
        """The node of an object, which is described later if it was not seen before."""
        text = self.plain(part.value)
        if text is not None:
            if text not in self.leaves:
                self.leaves[text] = self.new(text)
            return self.leaves[text]
        key = id(part.value)
        if key not in self.numbers:
            self.held.append(part.value)
            self.numbers[key] = self.new("")
            self.waiting.append((self.numbers[key], part))
        return self.numbers[key]

    def new(self, label: str) -> int:
        self.labels.append(label)
        self.next.append([])
        self.ordered.append(True)
        return len(self.labels) - 1

    def written_out(self) -> str:
        """The graph from its first node on, each class of equal nodes once."""
        classes = self.classes()
        numbers: dict[str, int] = {}
        parts = []
        waiting = [0]
        while waiting:
            node = waiting.pop()
            if classes[node] in numbers:
                continue
            numbers[classes[node]] = len(numbers)
            following = self.following(node, classes)
            waiting += reversed(following)
            parts.append((self.labels[node], following))
        return "\n".join(
            f"{label!r} {[numbers[classes[one]] for one in following]}"
            for label, following in parts
        )

    def following(self, node: int, classes: list[str]) -> list[int]:
        found = self.next[node]
        return found if self.ordered[node] else sorted(found, key=classes.__getitem__)

    def classes(self) -> list[str]:
        """A digest for each node: the same for those that can't be told apart from there on."""
        classes = [_short(label) for label in self.labels]
        count = len(set(classes))
        while True:
            finer = [
                _short(
                    classes[node] + "".join(classes[one] for one in self.following(node, classes))
                )
                for node in range(len(classes))
            ]
            distinct = len(set(finer))
            classes = finer
            if distinct == count:
                return classes
            count = distinct

    def plain(self, value: object, depth: int = 0) -> str | None:  # noqa: PLR0911  # by kind
        """Data as text; None for what is not plain data through and through."""
        kind = type(value)
        if kind in _ATOMS:
            return f"{kind.__name__} {value!r}"
        if kind is str:
            assert isinstance(value, str)
            return repr(self.relative(value))
        if depth > _PLAIN_DEPTH:
            return None
        if isinstance(value, PurePath):
            return f"path {self.relative(str(value))!r}"
        if kind is dict:
            assert isinstance(value, dict)
            pairs = [self.plain(one, depth + 1) for pair in value.items() for one in pair]
            return None if None in pairs else f"dict({','.join(map(str, pairs))})"
        if kind in {list, tuple, set, frozenset}:
            assert isinstance(value, list | tuple | set | frozenset)
            texts = []
            for one in value:
                text = self.plain(one, depth + 1)
                if text is None:
                    return None
                texts.append(text)
            if isinstance(value, set | frozenset):
                texts.sort()
            return f"{kind.__name__}({','.join(texts)})"
        return None

    def relative(self, text: str) -> str:
        """Where the package lies is not what it is."""
        for root in self.own.roots:
            if text.startswith(root) and text[len(root) : len(root) + 1] in {"", os.sep}:
                return f"<own folder>{text[len(root) :]}"
        return text

    def describe(self, part: _Part) -> _Described:  # noqa: C901, PLR0911  # a case for each kind
        value, where = part
        if len(self.labels) > IDENTITY_OBJECTS:
            self.note(where, f"more than {IDENTITY_OBJECTS:,} objects")
            return _Described(f"beyond {type(value).__qualname__}", [])
        if type(value) in {list, tuple}:
            return _Described(type(value).__name__, [_Part(one, where) for one in value])  # type: ignore[attr-defined]
        if type(value) is dict:
            pairs = [one for pair in value.items() for one in pair]
            return _Described("dict", [_Part(one, where) for one in pairs])
        for kinds, way in _WAYS:
            if isinstance(value, kinds):
                label, referred = way(value)
                return _Described(label, [_Part(one, where) for one in referred])
        match value:
            case types.FunctionType():
                return self.function(value)
            case type():
                return self.class_(value, where)
            case types.ModuleType():
                return _Described(f"module {value.__name__}", [])
            case set() | frozenset():
                parts = [_Part(one, where) for one in value]
                return _Described(type(value).__name__, parts, ordered=False)
            case Defined():
                return _extractor(value, where)
            case re.Pattern() | regex.Pattern():
                engine = regex.__version__ if isinstance(value, regex.Pattern) else ""
                return _Described(f"pattern {value.pattern!r} {value.flags} {engine}", [])
        return self.instance(value, where)

    def function(self, value: types.FunctionType) -> _Described:
        code = value.__code__
        home = _home(value)
        cells = {
            name: cell.cell_contents
            for name, cell in zip(code.co_freevars, value.__closure__ or (), strict=True)
            if not _is_empty(cell)
        }
        defaults = [value.__defaults__, value.__kwdefaults__]
        if home not in self.own:
            wrapped = vars(value).get("__wrapped__")
            parts = [_Part(one, None) for one in (*cells.values(), *defaults, wrapped)]
            return _Described(f"function {home}:{code.co_qualname}", parts)
        names = names_in(code)
        self.written |= {(home, name) for name in names.written}
        own = {
            name: one
            for name, one in vars(value).items()
            if name in {"__wrapped__", *names.attributes}
        }
        referred = {**cells, **self.globals_of(value, names), **own}
        parts = [_Part(one, f"a default of {home}.{code.co_qualname}") for one in defaults]
        parts += [_Part(one, f"{name!r} in {home}") for name, one in referred.items()]
        label = f"function {home}:{code.co_qualname}({','.join(referred)}) {canonical_code(code)}"
        return _Described(label, parts)

    def globals_of(self, value: types.FunctionType, names: References) -> dict[str, object]:
        """Globals that a function's code reads, and attributes of own modules among them."""
        home = _home(value)
        found: dict[str, object] = {}
        modules: dict[str, types.ModuleType] = {}
        for name in names.read:
            if (home, name) in self.known_written:
                self.note(f"{name!r} in {home}", "which functions assign")
            elif name in value.__globals__:
                one = value.__globals__[name]
                found[name] = one
                if isinstance(one, types.ModuleType):
                    modules[name] = one
        for name, level in names.imports:
            module = self.imported(name, level, value.__globals__)
            if module is not None:
                modules[module.__name__] = module
        for name, module in modules.items():
            found |= self.attributes(name, module, names.attributes, set())
        return found

    def imported(self, name: str, level: int, around: Mapping[str, Any]) -> types.ModuleType | None:
        """A module of its own that a function imports when it is called."""
        package = str(around.get("__package__") or "")
        if level:
            name = ".".join(filter(None, (package.rsplit(".", level - 1)[0], name)))
        if self.own.folder is not None and name not in sys.modules and _beside(name, self.own):
            self.own.known[name.partition(".")[0]] = True
        if name not in self.own:
            return None
        try:
            return import_module(name)
        except Exception:  # noqa: BLE001  # it fails when the function is called, too
            return None

    def attributes(
        self, prefix: str, module: types.ModuleType, names: Iterable[str], seen: set[str]
    ) -> dict[str, object]:
        """What is taken out of an own module, perhaps through modules in it."""
        if module.__name__ not in self.own or module.__name__ in seen:
            return {}
        seen.add(module.__name__)
        found: dict[str, object] = {}
        for name in names:
            if name in vars(module):
                one = vars(module)[name]
            elif (submodule := _submodule(module, name)) is not None:
                one = submodule
            else:
                continue
            if isinstance(one, types.ModuleType):
                found |= self.attributes(f"{prefix}.{name}", one, names, seen)
            else:
                found[f"{prefix}.{name}"] = one
        return found

    def class_(self, value: type, where: str | None) -> _Described:
        label = f"class {value.__module__}:{value.__qualname__}"
        if value.__module__ not in self.own:
            return _Described(label, [])
        parts: list[_Part] = [_Part(one, None) for one in (type(value), *value.__bases__)]
        content = vars(value)
        told = []
        for name in sorted(content.keys() - _UNTOLD):
            one = content[name]
            written = isinstance(one, _METHODS)
            if issubclass(value, enum.Enum) and not written:
                continue
            if name[:2] == name[-2:] == "__" and not written and self.plain(one) is None:
                continue  # what frameworks keep in classes
            told.append(name)
            parts.append(_Part(one, f"{name!r} of {value.__module__}.{value.__qualname__}"))
        if issubclass(value, enum.Enum):
            members = {name: one.value for name, one in value.__members__.items()}
            parts.append(_Part(members, where))
        told += [
            f"{name}: {_annotation(one)}"
            for name, one in content.get("__annotations__", {}).items()
        ]
        return _Described(f"{label}({','.join(told)})", parts)

    def instance(self, value: object, where: str | None) -> _Described:
        kind = type(value)
        name = f"{kind.__module__}.{kind.__qualname__}"
        label = f"instance of {name}"
        parts = [_Part(kind, where)]
        if name in _STATELESS:
            return _Described(label, parts)
        wrapped = _wrapped(value)
        if wrapped is not None and kind.__module__ not in self.own:
            return _Described(label, [*parts, _Part(wrapped, where)])
        if not self.tells(kind) or name in _RESTLESS:
            if kind.__module__.partition(".")[0] not in self.depended:
                self.note(where, name)
            return _Described(label, parts)
        try:
            reduce = copyreg.dispatch_table.get(kind)
            reduced = value.__reduce_ex__(4) if reduce is None else reduce(value)
        except Exception:  # noqa: BLE001  # objects refuse in many ways
            self.note(where, name)
            return _Described(label, parts)
        if isinstance(reduced, str):
            return _Described(f"{label} {reduced}", parts)
        items = [list(one) if isinstance(one, Iterator) else one for one in reduced]
        return _Described(label, [*parts, *(_Part(one, where) for one in items)])

    def tells(self, kind: type) -> bool:
        """Whether objects of this type pickle as what they are worth."""
        return (
            kind.__module__ in self.own
            or kind.__module__.partition(".")[0] in _KNOWN
            or dataclasses.is_dataclass(kind)
            or hasattr(kind, "__attrs_attrs__")
            or issubclass(kind, enum.Enum | tuple)
        )

    @functools.cached_property
    def depended(self) -> set[str]:
        """The modules of the packages that were named: their versions stand for their objects."""
        if not self.versions:
            return set()
        from importlib.metadata import packages_distributions

        named = {_normal(name) for name in self.versions}
        return {
            module
            for module, owners in packages_distributions().items()
            if module in self.versions or any(_normal(one) in named for one in owners)
        }

    def note(self, where: str | None, what: str) -> None:
        if where is not None:
            self.unwatched.append(f"{where} ({what})")


_METHODS = (types.FunctionType, classmethod, staticmethod, property, functools.cached_property)

_WAYS: tuple[tuple[Any, Callable[[Any], tuple[str, list[object]]]], ...] = (
    (types.MethodType, lambda one: ("method", [one.__func__, one.__self__])),
    (
        (types.BuiltinFunctionType, types.MethodWrapperType),
        lambda one: (
            f"builtin {getattr(one, '__module__', None)}:{one.__qualname__}",
            [] if isinstance(one.__self__, types.ModuleType | None) else [one.__self__],
        ),
    ),
    (
        (
            types.WrapperDescriptorType,
            types.MethodDescriptorType,
            types.ClassMethodDescriptorType,
            types.GetSetDescriptorType,
            types.MemberDescriptorType,
        ),
        lambda one: (f"descriptor {one.__qualname__}", []),
    ),
    ((staticmethod, classmethod), lambda one: (type(one).__name__, [one.__func__])),
    (property, lambda one: ("property", [one.fget, one.fset, one.fdel])),
    (functools.cached_property, lambda one: ("cached_property", [one.func])),
    (functools.partial, lambda one: ("partial", [one.func, one.args, one.keywords])),
    (functools.partialmethod, lambda one: ("partialmethod", [one.func, one.args, one.keywords])),
    (types.MappingProxyType, lambda one: ("mappingproxy", [dict(one)])),
    (types.CodeType, lambda one: (f"code {canonical_code(one)}", [])),
)
"""How to take apart what pickle refuses to, or takes for a name."""


def _extractor(value: Defined, where: str | None) -> _Described:
    """An extractor of settings is its settings, and its parts where it has some."""
    parts = getattr(value, "parts", {})
    settings = [value.kind, value.name, value.meaning, value.locality]
    own = value.fingerprint() if not parts else {"version": value.version}
    found = [*settings, own, *parts.values()]
    return _Described("extractor", [_Part(one, where) for one in found])


def _home(value: object) -> str:
    """The module in which something was written; a decorator may say another one."""
    if isinstance(value, types.FunctionType):
        name = value.__globals__.get("__name__")
        return name if isinstance(name, str) else str(value.__module__)
    return str(getattr(value, "__module__", None) or type(value).__module__)


def _innermost(value: object) -> object:
    """What was wrapped by decorators, or made a partial or a method: the author's own."""
    for _ in range(_PLAIN_DEPTH):
        if isinstance(value, functools.partial):
            value = value.func
        elif isinstance(value, types.MethodType | staticmethod | classmethod):
            value = value.__func__
        elif (wrapped := _wrapped(value)) is not None and not isinstance(value, type):
            value = wrapped
        else:
            break
    return value


def _folder_of(module: types.ModuleType | None) -> str | None:
    """Where a top-level module lies."""
    if module is None:
        return None
    paths = list(getattr(module, "__path__", ()))
    file = paths[0] if paths else getattr(module, "__file__", None)
    return os.path.dirname(os.path.abspath(file)) if isinstance(file, str) else None  # noqa: PTH100, PTH120  # as it is, without following links


def _submodule(package: types.ModuleType, name: str) -> types.ModuleType | None:
    """A module of a package, which need not be imported yet."""
    full = f"{package.__name__}.{name}"
    if full in sys.modules or not hasattr(package, "__path__"):
        return sys.modules.get(full)
    try:
        return import_module(full) if find_spec(full) is not None else None
    except Exception:  # noqa: BLE001  # it fails when the function is called, too
        return None


def _beside(name: str, own: _Own) -> bool:
    """Whether a module that is not imported yet lies in a function's folder."""
    from importlib.machinery import PathFinder

    top = name.partition(".")[0]
    return top not in sys.stdlib_module_names and bool(
        own.folder and PathFinder.find_spec(top, [own.folder])
    )


def _is_installed(folder: str) -> bool:
    """Whether other people's modules lie there as well."""
    parts = PurePath(folder).parts
    return "site-packages" in parts or "dist-packages" in parts


def _is_empty(cell: types.CellType) -> bool:
    try:
        _ = cell.cell_contents
    except ValueError:
        return True
    return False


def _wrapped(value: object) -> object | None:
    try:
        return vars(value).get("__wrapped__")
    except TypeError:
        return None


def _annotation(value: object) -> str:
    return f"{value.__module__}.{value.__qualname__}" if isinstance(value, type) else str(value)


def _normal(name: str) -> str:
    return name.lower().replace("_", "-").replace(".", "-")


def _short(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
