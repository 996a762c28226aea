"""The error where a wrapper can't be written in another form."""

from rowen.model import UsageError
from rowen.wrappers.base import Wrapper


def refuse(wrapper: Wrapper, form: str, reason: str) -> UsageError:
    """The error to raise."""
    kind = wrapper.wrapper_class
    return UsageError(f"{form} can't express this wrapper of class {kind!r}: {reason}")


def refuse_paths(wrapper: Wrapper, form: str) -> UsageError:
    """The error to raise for classes that find values by paths, which only Rowen follows."""
    regions = wrapper.wrapper_class == "region"
    way = "it finds regions by their shape" if regions else "it reads data by paths"
    return refuse(wrapper, form, f"{way}; run it with rowen, or learn with --class token")
