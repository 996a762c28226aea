import importlib

import pytest

import rowen


@pytest.mark.parametrize("name", rowen.__all__)
def test_every_public_name_is_there(name):
    assert getattr(rowen, name) is not None
    assert name in dir(rowen)


def test_every_lazy_name_is_public():
    assert set(rowen._HOME_OF) | {"__version__", "testing"} == set(rowen.__all__)


def test_other_names_are_not_there():
    with pytest.raises(AttributeError, match="no attribute 'wrong'"):
        rowen.wrong  # noqa: B018


def test_modules_need_no_luck_with_the_order_of_imports():
    for home in rowen._HOMES:
        importlib.import_module(home)
