"""The error where a wrapper can't be written in another form."""

from rowen.model import UsageError
from rowen.wrappers.base import Wrapper

OTHER_FORMS = "--as python and --as scrapy can"
"""What a refusal ends with: these forms express every wrapper."""


def refuse(wrapper: Wrapper, form: str, reason: str) -> UsageError:
    """The error to raise."""
    kind = wrapper.wrapper_class
    return UsageError(f"{form} can't express this wrapper of class {kind!r}: {reason}")
