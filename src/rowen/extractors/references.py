"""What code refers to by name: globals, attributes, and modules that it imports."""

import dis
from collections.abc import Iterator
from functools import lru_cache
from types import CodeType
from typing import NamedTuple

from rowen.extractors.bytecode import all_code

_LOOKUPS = frozenset(
    {"__dict__", "attrgetter", "eval", "exec", "getattr", "globals", "methodcaller", "vars"}
)
"""What finds an object by a name that is a text. Texts in code that uses them count as names."""

_IMPORTS = frozenset({"__import__", "import_module"})
_READS = frozenset({"open", "read_bytes", "read_text"})
_RUNS = frozenset({"eval", "exec"})


class References(NamedTuple):
    """Names in a function's code, and in the functions and classes inside it."""

    read: tuple[str, ...]
    """Globals, or builtins."""
    written: tuple[str, ...]
    """Globals that it assigns."""
    attributes: tuple[str, ...]
    """Attributes that it reads from objects and modules."""
    imports: tuple[tuple[str, int], ...]
    """Modules that it imports when it is called, each with the number of dots before the name."""
    unseen: tuple[str, ...]
    """Calls that read what no code shows: files, and code in texts."""


@lru_cache(maxsize=4096)
def names_in(code: CodeType) -> References:
    """All names, sorted."""
    read, written, attributes = set(), set(), set()
    imports = set()
    for inner in all_code(code):
        constants: list[object] = []
        for instruction in dis.get_instructions(inner):
            name = instruction.opname
            if name in {"LOAD_CONST", "LOAD_SMALL_INT"}:
                constants.append(instruction.argval)
            elif name in {"LOAD_GLOBAL", "LOAD_NAME"}:
                read.add(instruction.argval)
            elif name in {"STORE_GLOBAL", "DELETE_GLOBAL"}:
                written.add(instruction.argval)
            elif name == "IMPORT_NAME":
                level = constants[-2] if len(constants) > 1 else 0
                imports.add((instruction.argval, level if isinstance(level, int) else 0))
            elif instruction.opcode in dis.hasname:
                attributes.add(instruction.argval)
    used = read | attributes
    texts = set().union(*(_texts(inner.co_consts) for inner in all_code(code)))
    if used & (_LOOKUPS | _IMPORTS):
        names = {name for text in texts for name in text.split(".") if name.isidentifier()}
        read |= names
        attributes |= names
    if used & _IMPORTS:
        bare = {text: text.lstrip(".") for text in texts}
        imports |= {
            (name, len(text) - len(name))
            for text, name in bare.items()
            if name and all(part.isidentifier() for part in name.split("."))
        }
    return References(
        tuple(sorted(read)),
        tuple(sorted(written)),
        tuple(sorted(attributes)),
        tuple(sorted(imports)),
        tuple(sorted(used & (_READS | _RUNS))),
    )


def _texts(constants: tuple[object, ...] | frozenset[object]) -> Iterator[str]:
    """The texts among constants, and in tuples and sets of them."""
    for constant in constants:
        if isinstance(constant, str):
            yield constant
        elif isinstance(constant, tuple | frozenset):
            yield from _texts(constant)
