import inspect

import rowen
from rowen.model import errors

CODES = {1, 2, 3, 4, 5, 6, 130}


def test_every_error_has_a_documented_exit_code_and_a_status():
    classes = [kind for _, kind in inspect.getmembers(errors, inspect.isclass)]
    ours = [kind for kind in classes if issubclass(kind, errors.RowenError)]
    assert len(ours) > 8
    for kind in ours:
        assert kind.exit_code in CODES
        assert 400 <= kind.http_status <= 599
        assert kind.__doc__


def test_every_error_is_public():
    for name, kind in inspect.getmembers(errors, inspect.isclass):
        if issubclass(kind, errors.RowenError):
            assert getattr(rowen, name) is kind
