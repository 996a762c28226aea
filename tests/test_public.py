import importlib

import pytest

import rowen
import rowen.model
from rowen.model import errors as model_errors


@pytest.mark.parametrize("name", rowen.__all__)
def test_every_public_name_is_there(name):
    assert getattr(rowen, name) is not None
    assert name in dir(rowen)


def test_every_lazy_name_is_public():
    modules = {"errors", "recognizers", "testing", "types"}
    assert set(rowen._HOME_OF) | modules | {"__version__"} == set(rowen.__all__)


def test_every_error_is_listed_once_and_works_from_the_top():
    classes = {name for name, value in vars(model_errors).items() if is_error(value)}
    assert set(model_errors.__all__) == classes
    for name in classes:
        assert getattr(rowen, name) is getattr(rowen.errors, name) is getattr(rowen.model, name)


def is_error(value):
    return isinstance(value, type) and issubclass(value, rowen.RowenError)


def test_other_names_are_not_there():
    with pytest.raises(AttributeError, match="no attribute 'wrong'"):
        rowen.wrong  # noqa: B018


def test_modules_need_no_luck_with_the_order_of_imports():
    for home in rowen._HOMES:
        importlib.import_module(home)
