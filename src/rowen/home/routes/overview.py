"""What home shows: what is here, and what happened last."""

import asyncio
from importlib.resources import files
from typing import Any

from fastapi import APIRouter, Request

from rowen.home.projects import latest_projects
from rowen.home.routes.state import stores_of
from rowen.home.runs import summary_of
from rowen.service.state import realm_of
from rowen.studio.routes.state import projects_of, studio_of

router = APIRouter(prefix="/home/api", include_in_schema=False)

_SAMPLE = "bookshop"


@router.get("/overview")
async def overview(request: Request) -> dict[str, Any]:
    """What is here: projects, extractors and stores with their last runs and alarms."""
    projects, shown, store = projects_of(request), stores_of(request), realm_of(request).store

    def look() -> dict[str, Any]:
        return {
            "projects": latest_projects(projects),
            "extractors": store.extractors(),
            "stores": [summary_of(own, projects) for own in shown.all()],
            "may_choose_stores": shown.may_choose,
        }

    return await asyncio.to_thread(look)


@router.post("/samples/pages", status_code=201)
async def sample_pages(request: Request) -> dict[str, str]:
    """Create a project with sample pages, to try the studio with."""
    projects = projects_of(request)

    def create() -> str:
        taken = set(projects.names())
        numbered = (_SAMPLE, *(f"{_SAMPLE} {number}" for number in range(2, len(taken) + 3)))
        project = projects.create(next(name for name in numbered if name not in taken))
        for file in sorted(
            files("rowen.samples").joinpath(_SAMPLE).iterdir(), key=lambda file: file.name
        ):
            project.add_page(file.name, file.read_bytes())
        return project.name

    return {"project": await studio_of(request).run(create)}
