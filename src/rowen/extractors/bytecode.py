"""What a code object does, as text that is the same wherever and however it was written down.

Line numbers and docstrings are left out, and so is what they do to bytecode: a compiler pads lines
with no-operations, numbers constants after a docstring, and copies or spares the ends of branches
by the line that they stand on. So the instructions are taken as a graph, and two of them count as
one where they, and all that can follow them, are the same (bisimulation, by partition refinement).

    def f(x):                       def f(x):
        "Twice."                        return (
        return 2 * x                        2 * x)      # one text for both
"""

import dis
from collections.abc import Iterator
from functools import lru_cache
from types import CodeType

_SILENT = frozenset({"NOP", "CACHE", "EXTENDED_ARG", "RESUME"})
"""Instructions that do nothing that a record could depend on."""

_GOTO = frozenset(
    {"JUMP_FORWARD", "JUMP_BACKWARD", "JUMP_BACKWARD_NO_INTERRUPT", "JUMP", "JUMP_NO_INTERRUPT"}
)
_ENDS = frozenset({"RETURN_VALUE", "RETURN_CONST", "RAISE_VARARGS", "RERAISE", *_GOTO})
"""After these the next instruction does not follow."""

_OPPOSITES = {"POP_JUMP_IF_TRUE": "POP_JUMP_IF_FALSE", "POP_JUMP_IF_NOT_NONE": "POP_JUMP_IF_NONE"}
"""Which branch comes first is the compiler's choice."""

_NEWLOCALS = 0x2
"""Set for functions, not for the bodies of classes."""

_JUMPS = frozenset((*dis.hasjrel, *dis.hasjabs))


@lru_cache(maxsize=4096)
def canonical_code(code: CodeType) -> str:
    """The code as text."""
    graph = _Graph(code)
    arguments = code.co_argcount + code.co_kwonlyargcount
    arguments += bool(code.co_flags & 0x04) + bool(code.co_flags & 0x08)
    head = (
        code.co_flags,
        code.co_posonlyargcount,
        code.co_argcount,
        code.co_kwonlyargcount,
        code.co_varnames[:arguments],
    )
    return f"{head}{{{graph.written()}}}"


def _constant(value: object) -> str:
    """A constant of code; a set has no order that could be relied on."""
    if isinstance(value, CodeType):
        return canonical_code(value)
    if isinstance(value, frozenset):
        return f"frozenset({sorted(map(_constant, value))})"
    if isinstance(value, tuple):
        return f"({','.join(map(_constant, value))})"
    return f"{type(value).__name__} {value!r}"


def all_code(code: CodeType) -> Iterator[CodeType]:
    """A code object and those of the functions, classes and comprehensions inside of it."""
    yield code
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield from all_code(one)


class _Graph:
    """The instructions that count, each with a label and those that may follow it."""

    def __init__(self, code: CodeType) -> None:
        self.constants = code.co_consts
        self.found = list(dis.get_instructions(code))
        self.at = {one.offset: number for number, one in enumerate(self.found)}
        self.silent = self.docstring(code)
        self.silent |= {
            number for number, one in enumerate(self.found) if one.opname in _SILENT | _GOTO
        }
        self.handlers = self.guarded(code)
        self.labels: dict[int, str] = {}
        self.next: dict[int, tuple[int, ...]] = {}
        self.root = self.real(0)
        waiting = [self.root]
        while waiting:
            number = waiting.pop()
            if number not in self.labels:
                self.labels[number], self.next[number] = self.read(number)
                waiting += self.next[number]

    def docstring(self, code: CodeType) -> set[int]:
        """The instructions by which a class gets its docstring."""
        if code.co_flags & _NEWLOCALS:
            return set()
        pairs = zip(self.found, self.found[1:], strict=False)
        for number, (load, store) in enumerate(pairs):
            if (load.opname, store.opname, store.argval) == ("LOAD_CONST", "STORE_NAME", "__doc__"):
                return {number, number + 1}
        return set()

    def guarded(self, code: CodeType) -> dict[int, tuple[int, int, bool]]:
        """Where each instruction goes on when it raises."""
        handlers = {}
        for entry in dis.Bytecode(code).exception_entries:  # type: ignore[attr-defined]  # there
            for offset in range(entry.start, entry.end, 2):
                if offset in self.at:
                    target = self.real(self.at[entry.target])
                    handlers[self.at[offset]] = (target, entry.depth, entry.lasti)
        return handlers

    def real(self, number: int) -> int:
        """The first instruction from here on that does anything; -1 where none does, for ever."""
        seen = set()
        while number in self.silent:
            if number in seen:
                return -1
            seen.add(number)
            one = self.found[number]
            number = self.at[one.argval] if one.opname in _GOTO else number + 1
        return number

    def read(self, number: int) -> tuple[str, tuple[int, ...]]:
        if number < 0:
            return "FOREVER", ()
        one = self.found[number]
        name = one.opname.replace("_FORWARD_", "_").replace("_BACKWARD_", "_")
        following = [] if name in _ENDS else [self.real(number + 1)]
        if one.opcode in _JUMPS:
            following.insert(0, self.real(self.at[one.argval]))
            operand = ""
            if name in _OPPOSITES:
                name = _OPPOSITES[name]
                following.reverse()
        elif one.opname == "KW_NAMES":  # which Python 3.11 does not count among those below
            operand = _constant(self.constants[one.arg or 0])
        elif one.opcode in dis.hasconst:
            operand = _constant(one.argval)
        else:
            # What the number stands for: names are numbered as they happen to come.
            operand = one.argrepr or ("" if one.arg is None else str(one.arg))
        label = f"{name} {operand}"
        if number in self.handlers:
            target, depth, last = self.handlers[number]
            label += f" except {depth} {last}"
            following.append(target)
        return label, tuple(following)

    def written(self) -> str:
        """All of it from the first instruction on, each class of equal ones once."""
        classes = self.classes()
        numbers: dict[int, int] = {}
        parts = []
        waiting = [self.root]
        while waiting:
            number = waiting.pop()
            own = classes[number]
            if own in numbers:
                continue
            numbers[own] = len(numbers)
            waiting += reversed(self.next[number])
            parts.append((number, own))
        lines = []
        for number, _ in parts:
            following = ",".join(str(numbers[classes[one]]) for one in self.next[number])
            lines.append(f"{self.labels[number]}>{following}")
        return ";".join(lines)

    def classes(self) -> dict[int, int]:
        """The coarsest division in which equal instructions have equal ones behind them."""
        known: dict[object, int] = {}
        classes = {
            number: known.setdefault(label, len(known)) for number, label in self.labels.items()
        }
        while True:
            signs: dict[object, int] = {}
            finer = {
                number: signs.setdefault(
                    (own, tuple(classes[one] for one in self.next[number])), len(signs)
                )
                for number, own in classes.items()
            }
            if len(signs) == len(known):
                return classes
            known, classes = signs, finer
