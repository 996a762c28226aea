"""The registered extractors: what they are, where they come from, and how they did in stores."""

import json
import tomllib
from collections.abc import Iterable, Mapping
from shlex import quote
from typing import Any

from rowen.home.projects import publisher_of
from rowen.home.stores import ShownStore
from rowen.model.errors import RowenError
from rowen.storage.documents.store import SavedExtractor, Store
from rowen.studio.projects import Projects

NIGHTS = 120
"""Limit: of how many runs of each store an extractor's drift is shown."""


def described(saved: SavedExtractor, projects: Projects) -> dict[str, Any]:
    """One line about a registered extractor."""
    settings = _settings(saved)
    publisher = publisher_of(projects, saved.name)
    return {
        "name": saved.name,
        "kind": _kind(settings),
        "fields": _fields(settings),
        "version": str(settings.get("version", "")) or saved.digest[:8],
        "warnings": _warnings(settings),
        "project": None if publisher is None else publisher[0],
        "published": None if publisher is None else publisher[1].created,
    }


def all_described(store: Store, projects: Projects) -> list[dict[str, Any]]:
    """All registered extractors."""
    saved = (store.extractor(name) for name in store.extractors())
    return [described(own, projects) for own in saved if own is not None]


def nights_of(name: str, stores: Iterable[ShownStore]) -> list[dict[str, Any]]:
    """By store, the records and the drift of an extractor over the last runs, oldest first."""
    nights = []
    for shown in stores:
        try:
            manifests = shown.open().snapshots()
        except (RowenError, OSError):  # operations says what is wrong with it
            continue
        runs = [
            {
                "number": manifest.number,
                "created": manifest.created,
                "version": manifest.extractors[name],
                "records": manifest.report.get("tallies", {}).get(name, {}).get("records"),
                "drifted": len(manifest.report.get("drift", {}).get(name, {}).get("drifted", ())),
            }
            for manifest in manifests[-NIGHTS:]
            if name in manifest.extractors
        ]
        if runs:
            nights.append({"id": shown.id, "name": shown.name, "runs": runs})
    return nights


def snippets_for(saved: SavedExtractor, service: str) -> dict[str, str]:
    """How to use an extractor that is registered here: over HTTP, in Python, every night."""
    base, name = service.rstrip("/"), saved.name
    file = f"{name}.{saved.form}"
    return {
        "http": (
            f"curl -F myfile=@page.html '{base}/?output=json'   # returns an id\n"
            f"curl '{base}/ID/records?extractor={quote(name)}'\n"
        ),
        "command line": (
            f"curl '{base}/extractors/{quote(name)}' -o {quote(file)}\n"
            f"rowen extract {quote(file)} PAGE... -f csv -o data.csv\n"
        ),
        "every night": (
            f"curl '{base}/extractors/{quote(name)}' -o {quote(file)}\n"
            f"rowen run {quote(file)} --snapshot tonight/ --store store/\n"
        ),
    }


def _settings(saved: SavedExtractor) -> Mapping[str, Any]:
    """The definition as data; it was checked when it was registered."""
    try:
        return dict(
            json.loads(saved.content) if saved.form == "json" else tomllib.loads(saved.content)
        )
    except (ValueError, TypeError, RecursionError):  # damaged since then
        return {}


def _kind(settings: Mapping[str, Any]) -> str:
    if settings.get("kind") == "wrapper":
        return f"wrapper ({settings.get('class', 'unknown')})"
    inner = settings.get("extractor", settings)
    if isinstance(inner, list):
        return f"{len(inner)} rules"
    return str(inner.get("kind", "rules")) if isinstance(inner, dict) else "rules"


def _fields(settings: Mapping[str, Any]) -> list[str]:
    inner = settings.get("extractor", settings)
    single = inner[0] if isinstance(inner, list) and inner else inner
    if not isinstance(single, dict):
        return []
    names = single.get("fields") or single.get("schema") or ()
    return [str(name) for name in names]


def _warnings(settings: Mapping[str, Any]) -> list[str]:
    warnings = settings.get("warnings", ())
    if not isinstance(warnings, list):
        return []
    return [str(own.get("message", "")) for own in warnings if isinstance(own, dict)]
