"""Fill a project with pages from files, before the studio opens it.

The pages come with the style sheets and images that lie beside them: in the folder of a page that a
browser saved completely, in an MHTML file or in a WARC archive.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from rowen.model import Page
from rowen.model.errors import InputError, RowenError
from rowen.sources import Source, open_pages
from rowen.sources.mhtml import MHTML_SUFFIXES, is_mhtml, read_mhtml
from rowen.sources.warc import captured
from rowen.studio.project import Project
from rowen.studio.projects import Projects
from rowen.studio.saved.captures import name_of
from rowen.studio.saved.files import VIEW_FILE_BYTES, Files
from rowen.studio.saved.wanted import WANTED_ROUNDS, Find, find_in_folder, wanted_files
from rowen.studio.view import view_of
from rowen.text.charset import encode

STYLED_PAGES = 200
"""Limit: how many pages get their style sheets and images when the studio starts. Each takes some
tens of milliseconds."""


def fill_project(
    folder: Path, name: str, paths: Sequence[str], *, on_error: Callable[[RowenError], None]
) -> None:
    """Open or create a project, and add the pages at these paths that it does not have yet.

    `on_error` is called for each page that can't be read or added. A new project without any page
    is not kept.
    """
    sources = [(path, open_pages([path])) for path in paths]
    projects = Projects(folder)
    try:
        existing = projects.get(name)
        project = existing or projects.create(name)
        for path, source in sources:
            _fill(project, path, source, on_error)
        if sources and not project.state.pages:
            if existing is None:
                projects.delete(name)
            raise InputError(f"no pages in {', '.join(source.name for _, source in sources)}")
    finally:
        projects.close()


def _fill(
    project: Project, path: str, source: Source, on_error: Callable[[RowenError], None]
) -> None:
    place = Path(path)
    pages: Iterable[Page] = source.pages(on_error=on_error)
    if place.is_dir():
        pages = (page for page in pages if not _is_attached(place / page.id))
    added = _add(project, pages, on_error)
    if path.lower().endswith((".warc", ".warc.gz")):
        _attach_captured(project, place, added[:STYLED_PAGES])
        return
    for page, chosen in added[:STYLED_PAGES]:
        file = place / page if place.is_dir() else place
        if file.is_file():
            _attach_saved(project, chosen, file, root=place if place.is_dir() else place.parent)


def _add(
    project: Project, pages: Iterable[Page], on_error: Callable[[RowenError], None]
) -> list[tuple[str, str]]:
    """Add pages; returns the id of each and its name in the project."""
    texts = {project.page(page).text for page in project.state.pages}
    added = []
    for page in pages:
        if page.text in texts:
            continue
        texts.add(page.text)
        try:
            chosen = project.add_page(_name(page.id), encode(page.text))
        except InputError as error:
            on_error(error)
        else:
            added.append((page.id, chosen))
    return added


def _name(page_id: str) -> str:
    """The name of a page: an address ends in its path and query, MHTML becomes HTML."""
    if "://" in page_id:
        return name_of(page_id)
    stem, dot, suffix = page_id.rpartition(".")
    return f"{stem}.html" if f"{dot}{suffix.lower()}" in MHTML_SUFFIXES else page_id


def _is_attached(file: Path) -> bool:
    """Whether a file is in the folder of a page that was saved completely."""
    folder = file.parent
    stem = folder.name.removesuffix("_files")
    if stem == folder.name:
        return False
    pages = (folder.with_name(f"{stem}{suffix}") for suffix in (".html", ".htm", ".xhtml"))
    owner = next((page for page in pages if page.is_file()), None)
    return owner is not None and b"<frameset" not in owner.read_bytes()[:100_000].lower()


def _show(project: Project, page: str) -> bytes:
    """The view of a page with the files that it has. The pages are the person's own files."""
    attached = project.kept.attached(page)
    files = Files(
        attached.digests, lambda url: project.kept.content(attached.digests[url]), attached.base
    )
    return json.dumps({"wanted": view_of(project.page(page), files)["wanted"]}).encode()


def _attach_saved(project: Project, page: str, file: Path, *, root: Path) -> None:
    """Attach what lies beside a page, or in its MHTML file."""
    if file.suffix.lower() in MHTML_SUFFIXES and is_mhtml(data := file.read_bytes()):
        saved = read_mhtml(data, str(file))
        project.attach(page, {}, base=saved.url)
        find: Find = saved.files.get
    else:
        find = find_in_folder(root, file)
    wanted_files(lambda: _show(project, page), find, lambda files: project.attach(page, files))


def _attach_captured(project: Project, archive: Path, pages: Sequence[tuple[str, str]]) -> None:
    """Attach what an archive has of the pages' files; it may be large, so it is only read."""
    for url, page in pages:
        project.attach(page, {}, base=url)
    for _ in range(WANTED_ROUNDS):
        wanted: dict[str, list[str]] = {}
        for _, page in pages:
            for url in json.loads(_show(project, page))["wanted"]:
                wanted.setdefault(url, []).append(page)
        is_complete = True
        with archive.open("rb") as file:
            for part in captured(file, limit=VIEW_FILE_BYTES):
                for page in wanted.pop(part.url, ()):
                    project.attach(page, {part.url: part.body})
                    is_complete = False
        if is_complete:
            return
