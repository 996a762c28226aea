"""What code refers to by name: globals, attributes of whatever, modules that it imports."""

import dis
from functools import lru_cache
from types import CodeType
from typing import NamedTuple

from rowen.extractors.bytecode import all_code


class References(NamedTuple):
    """Names in a function's code, and in the functions and classes inside of it."""

    read: tuple[str, ...]
    """Globals, or builtins."""
    written: tuple[str, ...]
    """Globals that it assigns."""
    attributes: tuple[str, ...]
    """What it takes out of objects and modules."""
    imports: tuple[tuple[str, int], ...]
    """Modules that it imports when it is called; the number of dots before the name."""


@lru_cache(maxsize=4096)
def names_in(code: CodeType) -> References:
    """All names, in the order of the alphabet."""
    read, written, attributes = set(), set(), set()
    imports = set()
    for one in all_code(code):
        constants: list[object] = []
        for instruction in dis.get_instructions(one):
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
    return References(
        tuple(sorted(read)),
        tuple(sorted(written)),
        tuple(sorted(attributes)),
        tuple(sorted(imports)),
    )
