"""Fill a project with pages from files, before the studio opens it."""

from collections.abc import Callable, Iterable
from pathlib import Path

from rowen.model import Page
from rowen.model.errors import InputError, RowenError
from rowen.sources import Source
from rowen.studio.project import Project
from rowen.studio.projects import Projects
from rowen.text.charset import encode


def fill_project(
    folder: Path, name: str, source: Source | None, *, on_error: Callable[[RowenError], None]
) -> None:
    """Open or create a project, and add the pages that it does not have yet.

    `on_error` is called for each page that can't be read or added. A new project without any page
    is not kept.
    """
    projects = Projects(folder)
    try:
        existing = projects.get(name)
        project = existing or projects.create(name)
        if source is not None:
            _add(project, source.pages(on_error=on_error), on_error)
            if not project.state.pages:
                if existing is None:
                    projects.delete(name)
                raise InputError(f"no pages in {source.name}")
    finally:
        projects.close()


def _add(project: Project, pages: Iterable[Page], on_error: Callable[[RowenError], None]) -> None:
    texts = {project.page(page).text for page in project.state.pages}
    for page in pages:
        if page.text in texts:
            continue
        texts.add(page.text)
        try:
            project.add_page(page.id, encode(page.text))
        except InputError as error:
            on_error(error)
