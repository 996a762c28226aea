"""Words of references that announce a field, such as `vol`, `eds` and `press`."""

import tomllib
from importlib.resources import files


def _read() -> dict[str, str]:
    classes = tomllib.loads(files(__package__).joinpath("keywords.toml").read_text("utf-8"))
    return {word: name for name, words in reversed(classes.items()) for word in words.split()}


KEYWORDS = _read()
"""The class of each word."""
