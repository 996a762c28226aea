"""The registered extractors for people: where they come from, their tests, and how they did."""

import asyncio
from typing import Any

from fastapi import APIRouter, Request

from rowen.home.projects import publisher_of
from rowen.home.registry import all_described, described, nights_of, snippets_for
from rowen.home.routes.state import stores_of
from rowen.service.routes.extractors import extractor_of
from rowen.service.state import realm_of
from rowen.studio.explanation import explain
from rowen.studio.material import wrapper_of
from rowen.studio.routes.state import projects_of, studio_of

router = APIRouter(prefix="/home/api/extractors", include_in_schema=False)


@router.get("")
async def extractors(request: Request) -> list[dict[str, Any]]:
    """All registered extractors."""
    store, projects = realm_of(request).store, projects_of(request)
    return await asyncio.to_thread(all_described, store, projects)


@router.get("/{name}")
async def extractor(request: Request, name: str) -> dict[str, Any]:
    """An extractor with its versions, its definition, its nights in stores, and snippets."""
    saved = await extractor_of(realm_of(request).store, name)
    projects, shown = projects_of(request), stores_of(request)
    service = str(request.base_url)

    def look() -> dict[str, Any]:
        publisher = publisher_of(projects, name)
        versions = [] if publisher is None else projects.published(publisher[0]).versions
        explanation = None
        # Only what the studio has learned is opened here; others may have sent anything.
        if publisher is not None and publisher[1].definition() == saved.content:
            explained = explain(wrapper_of(saved.content))
            explanation = {key: explained[key] for key in ("description", "warned", "assurance")}
        return {
            **described(saved, projects),
            "definition": saved.content,
            "explanation": explanation,
            "versions": [
                {"number": version.number, "created": version.created}
                for version in reversed(versions)
                if version.name == name
            ],
            "nights": nights_of(name, shown.all()),
            "snippets": snippets_for(saved, service),
        }

    return await asyncio.to_thread(look)


@router.get("/{name}/tests")
async def tests(request: Request, name: str) -> dict[str, Any]:
    """The pages that test an extractor, and whether its records are what was accepted there."""
    projects, studio = projects_of(request), studio_of(request)
    publisher = await asyncio.to_thread(publisher_of, projects, name)
    if publisher is None:
        return {"tests": []}
    project = await studio.run(lambda: projects.get(publisher[0]))
    return {"tests": []} if project is None else await studio.tests(project, publisher[1])
