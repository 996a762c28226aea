"""Rename and copy projects."""

from typing import Any

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict

from rowen.studio.routes.state import projects_of, studio_of

router = APIRouter(prefix="/studio/api/projects", include_in_schema=False)


class NewName(BaseModel):
    """The new name of a project, or that of its copy."""

    model_config = ConfigDict(extra="forbid")

    name: str


@router.patch("/{name}")
async def rename(request: Request, name: str, new: NewName) -> dict[str, Any]:
    """Rename a project."""
    projects = projects_of(request)
    await studio_of(request).run(lambda: projects.rename(name, new.name))
    return {"name": new.name}


@router.post("/{name}/copy", status_code=201)
async def copy(request: Request, name: str, new: NewName) -> dict[str, Any]:
    """Copy a project with its pages, marks and published wrappers."""
    projects = projects_of(request)
    await studio_of(request).run(lambda: projects.copy(name, new.name))
    return {"name": new.name}
