"""From an alarm to a repair: the pages that drifted become new pages of the studio's project."""

import json
import re

from rowen.home.nightly import page_text
from rowen.home.projects import publisher_of
from rowen.model.errors import UsageError
from rowen.storage.documents.store import Store as DocumentStore
from rowen.store import Store
from rowen.studio.project import Project
from rowen.studio.projects import Projects
from rowen.text.charset import encode

REPAIR_PAGES = 40
"""Limit: how many drifted pages a repair learns from. More take longer and teach no more."""

_UNFIT = re.compile(r"[^\w.()+,=@-]+")


def prepare_repair(
    projects: Projects, documents: DocumentStore, store: Store, extractor: str
) -> Project:
    """The project that published a wrapper, with the drifted pages of the last run to check.

    For a wrapper that no project published, but that is registered, a project is created.
    UsageError where there is neither.
    """
    manifest = store.snapshot()
    drifted = manifest.report.get("drift", {}).get(extractor, {}).get("drifted", [])
    if not drifted:
        raise UsageError(f"{extractor!r} has no drifted pages in the last run")
    project = _project(projects, documents, extractor)
    project.visit.clear()
    for number, page_id in enumerate(drifted[:REPAIR_PAGES], 1):
        text = page_text(store, manifest, page_id)
        if text is not None:
            project.add_visit(_file_name(page_id, number), encode(text))
    return project


def _project(projects: Projects, documents: DocumentStore, extractor: str) -> Project:
    publisher = publisher_of(projects, extractor)
    if publisher is not None:
        project = projects.get(publisher[0])
        assert project is not None
        return project
    saved = documents.extractor(extractor)
    definition = json.loads(saved.content) if saved and saved.form == "json" else {}
    if saved is None or definition.get("kind") != "wrapper":
        raise UsageError(
            f"no project has published {extractor!r}: register the wrapper (PUT /extractors/"
            f"{extractor}), or repair it with `rowen repair`"
        )
    taken = set(projects.names())
    numbered = [extractor, *(f"{extractor} {number}" for number in range(2, len(taken) + 3))]
    project = projects.create(next(name for name in numbered if name not in taken))
    project.published.add(extractor, saved.content, [])
    return project


def _file_name(page_id: str, number: int) -> str:
    """A name that no other page has, though the ids of pages may end alike."""
    plain = _UNFIT.sub("-", page_id).strip("-.")[-100:] or "page"
    stem, dot, suffix = plain.rpartition(".")
    if not dot or len(suffix) > 5:
        stem, suffix = plain, "html"
    return f"{number:03}-{stem}.{suffix}"
