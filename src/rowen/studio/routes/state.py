"""Gives the routes access to the studio and to the projects of the request's tenant."""

from fastapi import Request
from starlette.exceptions import HTTPException

from rowen.service.state import realm_of
from rowen.studio.project import Project
from rowen.studio.projects import Projects
from rowen.studio.studio import Studio
from rowen.studio.workspace import NAME, Workspace


def studio_of(request: Request) -> Studio:
    """The studio that received a request."""
    return _workspace(request).studio


def projects_of(request: Request) -> Projects:
    """The projects of the tenant that sent a request."""
    return _workspace(request).projects


async def project_of(request: Request, name: str) -> Project:
    """The project that a request names; 404 if there is none."""
    projects = projects_of(request)
    project = await studio_of(request).run(lambda: projects.get(name))
    if project is None:
        raise HTTPException(404, f"project {name!r} not found")
    return project


def _workspace(request: Request) -> Workspace:
    data = realm_of(request).extensions[NAME]
    assert isinstance(data, Workspace)
    return data
