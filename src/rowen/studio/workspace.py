"""A workspace: the projects of one tenant, and the studio that works for all tenants."""

from dataclasses import dataclass

from rowen.studio.projects import Projects
from rowen.studio.studio import Studio

NAME = "studio"
"""The studio's name among the service's extensions, and the folder of a tenant's projects."""


@dataclass(frozen=True, slots=True)
class Workspace:
    """What the studio keeps for one tenant."""

    studio: Studio
    projects: Projects

    def close(self) -> None:
        """Close the projects. The studio keeps working for other tenants."""
        self.projects.close()
