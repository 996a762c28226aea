r"""Everything that can be reached from a function, as a graph of texts.

The function, what it refers to, what that refers to and so on form a graph: functions with their
code, classes with their methods, constants with their values. It ends at objects of other packages,
which are identified by name only. Two graphs are equal if everything that can be reached from the
function is equal, whatever the addresses of objects and the order of sets.

    ROOM = re.compile(r"CS \d+")                          nodes   0  function rooms, its bytecode
    def rooms(text):                                              1  pattern "CS \d+"
        return [m.span() for m in ROOM.finditer(text)]    edges   0 -> 1 (by the name ROOM)

An edit of the function or of the pattern changes the graph; a new comment does not.

Why a changed function never gets old records: every object that the code can reach is either
written out, or named by its package, or listed in `unwatched`, about which the author is warned.
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
from pathlib import PurePath
from typing import Any, NamedTuple

import regex

from rowen.extractors.bytecode import canonical_code
from rowen.extractors.definition import Defined
from rowen.extractors.own_modules import OwnModules, home_of, is_beside, submodule, wrapped_by
from rowen.extractors.references import References, names_in

IDENTITY_OBJECTS = 100_000
"""Limit: how many objects are looked at, besides plain data. A package has some thousands at most;
what has more is a model or a table, which a version or `depends` should stand for."""

_PLAIN_DEPTH = 40
_ATOMS = (type(None), bool, int, float, complex, bytes, type(...), type(NotImplemented), range)
_KNOWN = frozenset({"rowen", "numpy", "regex", "_regex"}) | sys.stdlib_module_names
"""Packages whose objects pickle completely, and alike in every process."""

_STATELESS = ("_thread.lock", "_thread.RLock", "_abc._abc_data")
_CHANGING = ("random.Random", "random.SystemRandom", "os._Environ")
"""Objects that differ from process to process. If records depend on them, only verification shows
it."""

_NOT_WRITTEN = frozenset(
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
"""Attributes of a class that its author did not write."""


class _Part(NamedTuple):
    """An object that is referred to, and its name in messages; None if it is never named."""

    value: object
    where: str | None


class _Described(NamedTuple):
    label: str
    parts: list[_Part]
    ordered: bool = True


class ObjectGraph:
    """Everything that can be reached from a function, as a graph of texts."""

    def __init__(
        self,
        function: object,
        own: OwnModules,
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
        self.held: list[object] = []  # keeps objects alive: otherwise an address could be reused
        self.waiting: deque[tuple[int, _Part]] = deque()
        self.number(_Part(function, None))
        while self.waiting:
            number, part = self.waiting.popleft()
            label, parts, ordered = self.describe(part)
            self.labels[number] = label
            self.ordered[number] = ordered
            self.next[number] = [self.number(successor) for successor in parts]

    def number(self, part: _Part) -> int:
        """The node of an object; a new one is described later, so that cycles end."""
        # Plain data is equal by value, other objects only by identity.
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
        """Add a node."""
        self.labels.append(label)
        self.next.append([])
        self.ordered.append(True)
        return len(self.labels) - 1

    def written_out(self) -> str:
        """The graph as text from its first node on, each class of equal nodes once."""
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
            f"{label!r} {[numbers[classes[successor]] for successor in following]}"
            for label, following in parts
        )

    def following(self, node: int, classes: list[str]) -> list[int]:
        """The successors of a node; those of a set in the order of their classes."""
        successors = self.next[node]
        return successors if self.ordered[node] else sorted(successors, key=classes.__getitem__)

    def classes(self) -> list[str]:
        """A digest for each node: equal for nodes from which everything reachable is equal."""
        # Partition refinement as in `bytecode`: a digest of the label and of the successors'
        # digests, until the number of different digests no longer grows.
        classes = [_short(label) for label in self.labels]
        count = len(set(classes))
        while True:
            finer = [
                _short(
                    classes[node]
                    + "".join(classes[successor] for successor in self.following(node, classes))
                )
                for node in range(len(classes))
            ]
            distinct = len(set(finer))
            classes = finer
            if distinct == count:
                return classes
            count = distinct

    def plain(self, value: object, depth: int = 0) -> str | None:  # noqa: PLR0911  # by kind
        """Plain data as text; None for anything that contains other objects."""
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
            pairs = [self.plain(element, depth + 1) for pair in value.items() for element in pair]
            return None if None in pairs else f"dict({','.join(map(str, pairs))})"
        if kind in {list, tuple, set, frozenset}:
            assert isinstance(value, list | tuple | set | frozenset)
            texts = []
            for element in value:
                text = self.plain(element, depth + 1)
                if text is None:
                    return None
                texts.append(text)
            if isinstance(value, set | frozenset):
                texts.sort()
            return f"{kind.__name__}({','.join(texts)})"
        return None

    def relative(self, text: str) -> str:
        """A text with the package's own folder replaced: where it is installed does not count."""
        for root in self.own.roots:
            if text.startswith(root) and text[len(root) : len(root) + 1] in {"", os.sep}:
                return f"<own folder>{text[len(root) :]}"
        return text

    def describe(self, part: _Part) -> _Described:  # noqa: C901, PLR0911  # a case for each kind
        """An object's label, and the objects that it refers to."""
        value, where = part
        if len(self.labels) > IDENTITY_OBJECTS:
            self.note(where, f"more than {IDENTITY_OBJECTS:,} objects")
            return _Described(f"beyond {type(value).__qualname__}", [])
        if type(value) in {list, tuple}:
            return _Described(type(value).__name__, [_Part(element, where) for element in value])  # type: ignore[attr-defined]
        if type(value) is dict:
            pairs = [element for pair in value.items() for element in pair]
            return _Described("dict", [_Part(element, where) for element in pairs])
        for kinds, way in _TAKEN_APART:
            if isinstance(value, kinds):
                label, referred = way(value)
                return _Described(label, [_Part(target, where) for target in referred])
        match value:
            case types.FunctionType():
                return self.function(value)
            case type():
                return self.class_(value, where)
            case types.ModuleType():
                return _Described(f"module {value.__name__}", [])
            case set() | frozenset():
                parts = [_Part(element, where) for element in value]
                return _Described(type(value).__name__, parts, ordered=False)
            case Defined():
                return _extractor(value, where)
            case re.Pattern() | regex.Pattern():
                engine = regex.__version__ if isinstance(value, regex.Pattern) else ""
                return _Described(f"pattern {value.pattern!r} {value.flags} {engine}", [])
        return self.instance(value, where)

    def function(self, value: types.FunctionType) -> _Described:
        """A function by its code, or only by its name if it belongs to another package."""
        code = value.__code__
        home = home_of(value)
        cells = {
            name: cell.cell_contents
            for name, cell in zip(code.co_freevars, value.__closure__ or (), strict=True)
            if not _is_empty(cell)
        }
        defaults = [value.__defaults__, value.__kwdefaults__]
        if home not in self.own:
            wrapped = vars(value).get("__wrapped__")
            parts = [_Part(referred, None) for referred in (*cells.values(), *defaults, wrapped)]
            return _Described(f"function {home}:{code.co_qualname}", parts)
        names = names_in(code)
        self.written |= {(home, name) for name in names.written}
        for call in names.unseen:
            what = "which runs code in a text" if call in {"eval", "exec"} else "which reads a file"
            self.note(f"{call!r} in {home}.{code.co_qualname}", what)
        own = {
            name: attribute
            for name, attribute in vars(value).items()
            if name in {"__wrapped__", *names.attributes}
        }
        referred = {**cells, **self.globals_of(value, names), **own}
        parts = [_Part(default, f"a default of {home}.{code.co_qualname}") for default in defaults]
        parts += [_Part(target, f"{name!r} in {home}") for name, target in referred.items()]
        label = f"function {home}:{code.co_qualname}({','.join(referred)}) {canonical_code(code)}"
        return _Described(label, parts)

    def globals_of(self, value: types.FunctionType, names: References) -> dict[str, object]:
        """The globals that a function's code reads, and the attributes of its own modules."""
        home = home_of(value)
        referenced: dict[str, object] = {}
        modules: dict[str, types.ModuleType] = {}
        for name in names.read:
            if (home, name) in self.known_written:
                self.note(f"{name!r} in {home}", "which functions assign")
            elif name in value.__globals__:
                global_value = value.__globals__[name]
                referenced[name] = global_value
                if isinstance(global_value, types.ModuleType):
                    modules[name] = global_value
        for name, level in names.imports:
            module = self.imported(name, level, value.__globals__)
            if module is not None:
                modules[module.__name__] = module
        for name, module in modules.items():
            referenced |= self.attributes(name, module, names.attributes, set())
        return referenced

    def imported(self, name: str, level: int, around: Mapping[str, Any]) -> types.ModuleType | None:
        """An own module that a function imports when it is called."""
        package = str(around.get("__package__") or "")
        if level:
            name = ".".join(filter(None, (package.rsplit(".", level - 1)[0], name)))
        if self.own.folder is not None and name not in sys.modules and is_beside(name, self.own):
            self.own.known[name.partition(".")[0]] = True
        if name not in self.own:
            return None
        try:
            return import_module(name)
        except Exception:  # noqa: BLE001  # calling the function fails as well
            return None

    def attributes(
        self, prefix: str, module: types.ModuleType, names: Iterable[str], seen: set[str]
    ) -> dict[str, object]:
        """What is read from an own module, directly or through modules in it.

        The code shows which attribute names are read, but not of which object: so every own module
        is searched for every name. That may watch too much, never too little.
        """
        if module.__name__ not in self.own or module.__name__ in seen:
            return {}
        seen.add(module.__name__)
        taken: dict[str, object] = {}
        for name in names:
            if name in vars(module):
                attribute = vars(module)[name]
            elif (inner := submodule(module, name)) is not None:
                attribute = inner
            else:
                continue
            if isinstance(attribute, types.ModuleType):
                taken |= self.attributes(f"{prefix}.{name}", attribute, names, seen)
            else:
                taken[f"{prefix}.{name}"] = attribute
        return taken

    def class_(self, value: type, where: str | None) -> _Described:
        """A class by what its author wrote in it, or only by its name."""
        label = f"class {value.__module__}:{value.__qualname__}"
        if value.__module__ not in self.own:
            return _Described(label, [])
        parts: list[_Part] = [_Part(base, None) for base in (type(value), *value.__bases__)]
        content = vars(value)
        listed = []
        for name in sorted(content.keys() - _NOT_WRITTEN):
            member = content[name]
            written = isinstance(member, _METHODS)
            if issubclass(value, enum.Enum) and not written:
                continue
            if name[:2] == name[-2:] == "__" and not written and self.plain(member) is None:
                continue  # data that frameworks keep in classes
            listed.append(name)
            parts.append(_Part(member, f"{name!r} of {value.__module__}.{value.__qualname__}"))
        if issubclass(value, enum.Enum):
            members = {name: member.value for name, member in value.__members__.items()}
            parts.append(_Part(members, where))
        listed += [
            f"{name}: {_annotation(annotation)}"
            for name, annotation in content.get("__annotations__", {}).items()
        ]
        return _Described(f"{label}({','.join(listed)})", parts)

    def instance(self, value: object, where: str | None) -> _Described:
        """Any other object by what pickle would store of it."""
        kind = type(value)
        name = f"{kind.__module__}.{kind.__qualname__}"
        label = f"instance of {name}"
        parts = [_Part(kind, where)]
        if name in _STATELESS:
            return _Described(label, parts)
        wrapped = wrapped_by(value)
        if wrapped is not None and kind.__module__ not in self.own:
            return _Described(label, [*parts, _Part(wrapped, where)])
        if not self.is_complete(kind) or name in _CHANGING:
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
        items = [list(item) if isinstance(item, Iterator) else item for item in reduced]
        return _Described(label, [*parts, *(_Part(item, where) for item in items)])

    def is_complete(self, kind: type) -> bool:
        """Whether objects of this type pickle completely."""
        return (
            kind.__module__ in self.own
            or kind.__module__.partition(".")[0] in _KNOWN
            or dataclasses.is_dataclass(kind)
            or hasattr(kind, "__attrs_attrs__")
            or issubclass(kind, enum.Enum | tuple)
        )

    @functools.cached_property
    def depended(self) -> set[str]:
        """The modules of the packages in `depends`: their versions stand for their objects."""
        if not self.versions:
            return set()
        from importlib.metadata import packages_distributions

        named = {_normal(name) for name in self.versions}
        return {
            module
            for module, owners in packages_distributions().items()
            if module in self.versions or any(_normal(owner) in named for owner in owners)
        }

    def note(self, where: str | None, what: str) -> None:
        """Note an object whose changes can't be seen."""
        if where is not None:
            self.unwatched.append(f"{where} ({what})")


_METHODS = (types.FunctionType, classmethod, staticmethod, property, functools.cached_property)

_TAKEN_APART: tuple[tuple[Any, Callable[[Any], tuple[str, list[object]]]], ...] = (
    (types.MethodType, lambda method: ("method", [method.__func__, method.__self__])),
    (
        (types.BuiltinFunctionType, types.MethodWrapperType),
        lambda builtin: (
            f"builtin {getattr(builtin, '__module__', None)}:{builtin.__qualname__}",
            [] if isinstance(builtin.__self__, types.ModuleType | None) else [builtin.__self__],
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
        lambda descriptor: (f"descriptor {descriptor.__qualname__}", []),
    ),
    ((staticmethod, classmethod), lambda method: (type(method).__name__, [method.__func__])),
    (property, lambda accessor: ("property", [accessor.fget, accessor.fset, accessor.fdel])),
    (functools.cached_property, lambda cached: ("cached_property", [cached.func])),
    (
        functools.partial,
        lambda partial: ("partial", [partial.func, partial.args, partial.keywords]),
    ),
    (
        functools.partialmethod,
        lambda partial: ("partialmethod", [partial.func, partial.args, partial.keywords]),
    ),
    (types.MappingProxyType, lambda proxy: ("mappingproxy", [dict(proxy)])),
    (types.CodeType, lambda code: (f"code {canonical_code(code)}", [])),
)
"""How to describe objects that pickle refuses, or stores by name only."""


def _extractor(value: Defined, where: str | None) -> _Described:
    """An extractor by its settings, and by its parts if it has any."""
    parts = getattr(value, "parts", {})
    settings = [value.kind, value.name, value.meaning, value.locality]
    own = value.fingerprint() if not parts else {"version": value.version}
    contents = [*settings, own, *parts.values()]
    return _Described("extractor", [_Part(content, where) for content in contents])


def _is_empty(cell: types.CellType) -> bool:
    try:
        _ = cell.cell_contents
    except ValueError:
        return True
    return False


def _annotation(value: object) -> str:
    return f"{value.__module__}.{value.__qualname__}" if isinstance(value, type) else str(value)


def _normal(name: str) -> str:
    return name.lower().replace("_", "-").replace(".", "-")


def _short(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
