"""Registered extractors: rules, wrappers, or the name of an installed plugin.

A plugin is code that the operator of the service has installed. A client can choose one by its
name, and can't name any other code.
"""

from rowen.extractors.base import Extractor
from rowen.extractors.deadline import patterns_within
from rowen.extractors.pattern import PATTERN_SECONDS
from rowen.extractors.plugin import installed_names, installed_plugin
from rowen.extractors.saved import parse_all, parsed
from rowen.model import Page
from rowen.model.errors import REASON_CHARACTERS, ExtractionError, ExtractorError, RowenError
from rowen.records import Records

PLUGIN = "plugin"


def may_be_plugin(content: str) -> bool:
    """Whether a definition may name a plugin; its records depend on the plugin's version too."""
    return PLUGIN in content


def extractors_of(content: str, form: str) -> list[Extractor]:
    """The extractors of a definition in the form json or toml; ExtractorError where it is invalid.

    `{"kind": "plugin", "plugin": NAME}` names an installed plugin.
    """
    table = parsed(content, form) if may_be_plugin(content) else {}
    if table.get("kind") != PLUGIN:
        return parse_all(content, form)
    # No other setting, so that none can ever lead to code that is not an installed plugin.
    if unknown := table.keys() - {"rowen", "kind", PLUGIN}:
        raise ExtractorError(
            f"unknown setting {min(unknown)!r}; only 'plugin' is allowed beside 'kind'"
        )
    name = table.get(PLUGIN)
    if not isinstance(name, str):
        raise ExtractorError("'plugin' must be the name of an installed plugin")
    return [_plugin(name)]


def load_plugins() -> None:
    """Load all installed plugins, before the process is confined and can't open files."""
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
        raise ExtractorError(f"no plugin {name!r} is installed; installed: {', '.join(_loaded)}")
    if isinstance(plugin, ExtractorError):
        raise plugin
    return plugin


def version_of_all(extractors: list[Extractor]) -> str:
    """A version that changes with any of the extractors."""
    return "\n".join(f"{extractor.name}\n{extractor.version}" for extractor in extractors)


def extract(extractor: Extractor, page: Page) -> Records:
    """The records of a page; any error of a plugin's code becomes an ExtractionError."""
    try:
        with patterns_within(PATTERN_SECONDS):
            return extractor.extract(page)
    # A worker reports that it ran out of memory in its own way, and a new worker tries again.
    except (RowenError, MemoryError):
        raise
    except Exception as error:
        reason = f"raised {type(error).__name__}: {error}"[:REASON_CHARACTERS]
        raise ExtractionError(extractor.name, page.id, reason) from error
