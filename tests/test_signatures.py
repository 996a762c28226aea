"""What a public call takes and gives is public, too: no private type in a public signature."""

import ast
import importlib
import inspect
import typing

import pytest

import rowen
import rowen.errors
import rowen.types
from rowen.client.conversation import Call

PUBLIC = {
    id(getattr(module, name))
    for module in (rowen, rowen.errors, rowen.types)
    for name in module.__all__
}
NAMES = [name for name in rowen.__all__ if not inspect.ismodule(getattr(rowen, name))]


def names_for_hints(module):
    """The names of a module with those that only type checkers import."""
    names = dict(vars(module))
    for node in ast.parse(inspect.getsource(module)).body:
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            for line in node.body:
                if isinstance(line, ast.ImportFrom):
                    home = importlib.import_module(line.module)
                    names |= {a.asname or a.name: getattr(home, a.name, None) for a in line.names}
                elif isinstance(line, ast.Import):
                    names |= {
                        a.asname or a.name: importlib.import_module(a.name) for a in line.names
                    }
    return names


def hints_of(thing):
    """The annotations of a function or a class, by parameter."""
    home = inspect.unwrap(thing.fget) if isinstance(thing, property) else inspect.unwrap(thing)
    module = importlib.import_module(home.__module__)
    return typing.get_type_hints(home, names_for_hints(module))


def members_of(name):
    """A public name, and for a class its public members; inherited ones are their class's own."""
    thing = getattr(rowen, name)
    yield name, thing
    if inspect.isclass(thing):
        for member, attribute in vars(thing).items():
            value = getattr(attribute, "__func__", attribute)
            if member.startswith("_") and member != "__init__":
                continue
            if inspect.isfunction(value) or isinstance(value, property):
                yield f"{name}.{member}", value


def types_in(hint):
    for argument in typing.get_args(hint):
        yield from types_in(argument)
    origin = typing.get_origin(hint) or hint
    # A client's method is written as a call; who calls it gets what the call results in.
    if isinstance(origin, type) and origin is not Call:
        yield origin


@pytest.mark.parametrize("name", NAMES)
def test_a_public_signature_has_public_types_only(name):
    private = set()
    for place, thing in members_of(name):
        if not (inspect.isclass(thing) or inspect.isfunction(thing) or isinstance(thing, property)):
            continue
        if inspect.isclass(thing) and not hasattr(thing, "__annotations__"):
            continue
        for parameter, hint in hints_of(thing).items():
            if parameter.startswith("_"):
                continue
            private |= {
                f"{place}({parameter}): {kind.__module__}.{kind.__qualname__}"
                for kind in types_in(hint)
                if kind.__module__.startswith("rowen") and id(kind) not in PUBLIC
            }
    assert not private
