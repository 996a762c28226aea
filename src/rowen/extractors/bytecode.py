"""A code object as text that depends on what the code does, not on how it is laid out.

Line numbers and docstrings are omitted, and so are their effects on bytecode: the compiler pads
lines with NOPs, numbers constants after a docstring, and duplicates or shares the ends of branches
depending on their lines. So the instructions are read as a graph, and two of them are merged if
they and everything that can follow them are the same (bisimulation, by partition refinement).

    def f(x):                       def f(x):
        "Twice."                        return (
        return 2 * x                        2 * x)      # one text for both
"""

import dis
from collections.abc import Iterator
from functools import lru_cache
from types import CodeType

_SILENT = frozenset({"NOP", "CACHE", "EXTENDED_ARG", "RESUME"})
"""Instructions without an effect on results."""

_GOTO = frozenset(
    {"JUMP_FORWARD", "JUMP_BACKWARD", "JUMP_BACKWARD_NO_INTERRUPT", "JUMP", "JUMP_NO_INTERRUPT"}
)
_ENDS = frozenset({"RETURN_VALUE", "RETURN_CONST", "RAISE_VARARGS", "RERAISE", *_GOTO})
"""After these, execution does not continue with the next instruction."""

_OPPOSITES = {"POP_JUMP_IF_TRUE": "POP_JUMP_IF_FALSE", "POP_JUMP_IF_NOT_NONE": "POP_JUMP_IF_NONE"}
"""Which branch comes first is the compiler's choice, so one of each pair stands for both."""

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
    """A constant as text; the order of a set changes from process to process, so it is sorted."""
    if isinstance(value, CodeType):
        return canonical_code(value)
    if isinstance(value, frozenset):
        return f"frozenset({sorted(map(_constant, value))})"
    if isinstance(value, tuple):
        return f"({','.join(map(_constant, value))})"
    return f"{type(value).__name__} {value!r}"


def all_code(code: CodeType) -> Iterator[CodeType]:
    """A code object and those of the functions, classes and comprehensions inside it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from all_code(constant)


class _Graph:
    """The instructions with an effect, each with a label and its possible successors."""

    def __init__(self, code: CodeType) -> None:
        self.constants = code.co_consts
        self.instructions = list(dis.get_instructions(code))
        self.at = {
            instruction.offset: number for number, instruction in enumerate(self.instructions)
        }
        self.silent = self.docstring(code)
        self.silent |= {
            number
            for number, instruction in enumerate(self.instructions)
            if instruction.opname in _SILENT | _GOTO
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
        """The instructions that set a class's docstring."""
        if code.co_flags & _NEWLOCALS:
            return set()
        pairs = zip(self.instructions, self.instructions[1:], strict=False)
        for number, (load, store) in enumerate(pairs):
            if (load.opname, store.opname, store.argval) == ("LOAD_CONST", "STORE_NAME", "__doc__"):
                return {number, number + 1}
        return set()

    def guarded(self, code: CodeType) -> dict[int, tuple[int, int, bool]]:
        """The exception handler of each instruction."""
        handlers = {}
        for entry in dis.Bytecode(code).exception_entries:  # type: ignore[attr-defined]  # there
            for offset in range(entry.start, entry.end, 2):
                if offset in self.at:
                    target = self.real(self.at[entry.target])
                    handlers[self.at[offset]] = (target, entry.depth, entry.lasti)
        return handlers

    def real(self, number: int) -> int:
        """The first instruction from here on that has an effect; -1 for an empty endless loop."""
        seen = set()
        while number in self.silent:
            if number in seen:
                return -1
            seen.add(number)
            instruction = self.instructions[number]
            number = self.at[instruction.argval] if instruction.opname in _GOTO else number + 1
        return number

    def read(self, number: int) -> tuple[str, tuple[int, ...]]:
        if number < 0:
            return "FOREVER", ()
        instruction = self.instructions[number]
        name = instruction.opname.replace("_FORWARD_", "_").replace("_BACKWARD_", "_")
        following = [] if name in _ENDS else [self.real(number + 1)]
        if instruction.opcode in _JUMPS:
            following.insert(0, self.real(self.at[instruction.argval]))
            operand = ""
            if name in _OPPOSITES:
                name = _OPPOSITES[name]
                following.reverse()
        elif instruction.opname == "KW_NAMES":  # which Python 3.11 does not count among those below
            operand = _constant(self.constants[instruction.arg or 0])
        elif instruction.opcode in dis.hasconst:
            operand = _constant(instruction.argval)
        else:
            # The name, not its number: names are numbered in order of appearance, which an edit
            # elsewhere changes.
            operand = instruction.argrepr or (
                "" if instruction.arg is None else str(instruction.arg)
            )
        label = f"{name} {operand}"
        if number in self.handlers:
            target, depth, last = self.handlers[number]
            label += f" except {depth} {last}"
            following.append(target)
        return label, tuple(following)

    def written(self) -> str:
        """The graph as text from the first instruction on, each class of equal ones once."""
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
            following = ",".join(str(numbers[classes[follower]]) for follower in self.next[number])
            lines.append(f"{self.labels[number]}>{following}")
        return ";".join(lines)

    def classes(self) -> dict[int, int]:
        """The coarsest partition in which equal instructions have equal successors.

        It starts with equal labels and splits classes until nothing changes (Moore, 1956).
        """
        numbers: dict[object, int] = {}
        classes = {
            number: numbers.setdefault(label, len(numbers)) for number, label in self.labels.items()
        }
        while True:
            signs: dict[object, int] = {}
            finer = {
                number: signs.setdefault(
                    (own, tuple(classes[follower] for follower in self.next[number])), len(signs)
                )
                for number, own in classes.items()
            }
            if len(signs) == len(numbers):
                return classes
            numbers, classes = signs, finer
