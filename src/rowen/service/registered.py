"""Extractors as clients register them: rules, wrappers, or the name of an installed plugin.

A plugin is code that whoever runs the service has installed; a client can choose one by its name,
and nothing else that is importable.
"""

from rowen.extractors.base import Extractor
from rowen.extractors.plugin import installed_names, installed_plugin
from rowen.extractors.saved import parse_all, parsed
from rowen.limits import REASON_CHARACTERS
from rowen.model import Page, Records
from rowen.model.errors import ExtractionError, ExtractorError, RowenError

PLUGIN = "plugin"


def may_be_plugin(content: str) -> bool:
    """Whether it is worth a look: what a plugin finds depends on more than its definition."""
    return PLUGIN in content


def extractors_of(content: str, form: str) -> list[Extractor]:
    """The extractors of a definition in the form json or toml; ExtractorError where there are none.

    `{"kind": "plugin", "plugin": NAME}` is one that is installed.
    """
    table = parsed(content, form) if may_be_plugin(content) else {}
    if table.get("kind") != PLUGIN:
        return parse_all(content, form)
    if unknown := table.keys() - {"rowen", "kind", PLUGIN}:
        raise ExtractorError(f"unknown setting {min(unknown)!r}; a plugin has only its name")
    name = table.get(PLUGIN)
    if not isinstance(name, str):
        raise ExtractorError("'plugin' must be the name of an installed one")
    return [_plugin(name)]


def load_plugins() -> None:
    """Load all that are installed: afterwards this process may not be able to look for them."""
    for name in installed_names():
        try:
            _loaded[name] = installed_plugin(name)
        except ExtractorError as error:
            _loaded[name] = error


_loaded: dict[str, Extractor | ExtractorError] = {}


def _plugin(name: str) -> Extractor:
    if not _loaded:
        return installed_plugin(name)
    plugin = _loaded.get(name)
    if plugin is None:
        raise ExtractorError(f"there is no plugin {name!r} ({', '.join(_loaded)})")
    if isinstance(plugin, ExtractorError):
        raise plugin
    return plugin


def version_of_all(extractors: list[Extractor]) -> str:
    """What changes with any of them."""
    return "\n".join(f"{one.name}\n{one.version}" for one in extractors)


def extract(extractor: Extractor, page: Page) -> Records:
    """The records of a page; an error of the extractor's own is the extractor's, not a bug here."""
    try:
        return extractor.extract(page)
    except (RowenError, MemoryError):
        raise
    except Exception as error:
        reason = f"raised {type(error).__name__}: {error}"[:REASON_CHARACTERS]
        raise ExtractionError(extractor.name, page.id, reason) from error
