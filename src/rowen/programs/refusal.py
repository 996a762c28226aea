"""The error where a wrapper can't be written in another form."""

from rowen.model import UsageError
from rowen.wrappers.base import Wrapper


def refuse(wrapper: Wrapper, form: str, reason: str) -> UsageError:
    """The error to raise."""
    kind = wrapper.wrapper_class
    return UsageError(f"{form} can't express this wrapper of class {kind!r}: {reason}")
