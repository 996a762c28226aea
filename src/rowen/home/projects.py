"""The projects of the studio as home shows them, read without opening any of them."""

import json
from pathlib import Path
from typing import Any

from rowen.storage.snapshots.manifest import Manifest
from rowen.studio.project import HISTORY
from rowen.studio.projects import Projects
from rowen.studio.published import Version

LATEST_PROJECTS = 8
"""Limit: how many projects home shows."""


def latest_projects(projects: Projects) -> dict[str, Any]:
    """How many projects there are, and those that changed last."""
    names = projects.names()
    # A project's folder is opened by one process only, and reading its history takes long.
    changed = sorted(names, key=lambda name: -_changed(projects.folder / name))
    return {
        "count": len(names),
        "latest": [_described(projects, name) for name in changed[:LATEST_PROJECTS]],
    }


def publisher_of(projects: Projects, extractor: str) -> tuple[str, Version] | None:
    """The project that published an extractor of this name last, and that version."""
    publications = [
        (version.path.stat().st_mtime, name, version)
        for name in projects.names()
        if (version := projects.published(name).last) is not None and version.name == extractor
    ]
    if not publications:
        return None
    _, name, version = max(publications, key=lambda publication: publication[0])
    return name, version


def with_repairs(
    alarms: list[dict[str, Any]], projects: Projects, run: Manifest
) -> list[dict[str, Any]]:
    """The alarms of a run, each with another version of its wrapper that was published since."""
    noted = []
    for alarm in alarms:
        publisher = publisher_of(projects, alarm["extractor"])
        repaired = None
        if publisher is not None:
            project, version = publisher
            used = run.extractors[alarm["extractor"]]
            # Both times are in UTC and ISO 8601.
            if version.created >= run.created and str(version.number) != used:
                repaired = {"project": project, "version": version.number}
        noted.append({**alarm, "repaired": repaired})
    return noted


def _described(projects: Projects, name: str) -> dict[str, Any]:
    folder = projects.folder / name
    try:
        settings = json.loads((folder / "project.json").read_bytes())
    except (OSError, ValueError):  # written with the first change
        settings = {}
    last = projects.published(name).last
    labels = folder / "labels.jsonl"
    return {
        "name": name,
        "changed": _changed(folder),
        "pages": len(settings.get("pages", ())),
        "fields": list(settings.get("fields", ())),
        "marked": labels.exists() and labels.stat().st_size > 0,
        "published": last and {"name": last.name, "number": last.number, "created": last.created},
    }


def _changed(folder: Path) -> float:
    try:
        return (folder / HISTORY).stat().st_mtime
    except OSError:
        return 0.0
