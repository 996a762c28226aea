"""What is told where a wrapper can't be said in another form."""

from rowen.model import UsageError
from rowen.wrappers.base import Wrapper


def refuse(wrapper: Wrapper, form: str, reason: str) -> UsageError:
    """The error to raise."""
    kind = wrapper.wrapper_class
    return UsageError(f"{form} can't say what this wrapper of class {kind!r} does: {reason}")
