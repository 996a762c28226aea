"""Sources: a snapshot is an iterable of pages."""

import os
from collections.abc import Sequence
from pathlib import Path

from rowen.model.errors import SourceError, UsageError
from rowen.sources.base import OnError, Source
from rowen.text.charset import PAGE_BYTES

__all__ = ["OnError", "Source", "open_pages", "open_source"]


def open_source(
    spec: str | os.PathLike[str], *, limit: int = PAGE_BYTES, trust_mtime: bool = False
) -> Source:
    """Open a folder, an archive, a table, a revision of a repository or a single file as pages.

    The name of a file decides how it is read: `.warc`, `.warc.gz`, `.parquet`, `.jsonl`,
    `.jsonl.gz`; any other file is a single page. `git:REPO@REV[:SUBFOLDER]` opens a repository. A
    path object is always a path. No page may have more than `limit` bytes. With `trust_mtime` a run
    reads only those files of a folder whose size or time of change is another than in the last run.

    >>> from pathlib import Path
    >>> Path("crawl").mkdir()
    >>> _ = Path("crawl", "a.html").write_text("<p>CS 105")
    >>> [(page.id, page.text) for page in open_source("crawl")]
    [('a.html', '<p>CS 105')]
    """
    path = os.fspath(spec)
    if trust_mtime and not Path(path).is_dir():
        raise UsageError(f"only the files of a folder have times to trust; {path} is no folder")
    # Each kind is imported when it is used: a folder needs neither Arrow nor a WARC reader.
    if isinstance(spec, str) and spec.startswith("git:"):
        from rowen.sources.git import Git

        return Git(spec, limit=limit)
    if "\0" in path or not os.path.exists(path):  # noqa: PTH110  # the path may be any string
        hint = "; Rowen does not download pages, save them first" if "://" in path else ""
        raise SourceError(f"no such file or folder: {path}{hint}")
    if Path(path).is_dir():
        from rowen.sources.folder import Folder

        return Folder(path, limit=limit, trust_mtime=trust_mtime)
    return _file(path, limit=limit)


def open_pages(arguments: Sequence[str], *, limit: int = PAGE_BYTES) -> Source:
    """Open the pages that a command line names, in its order; `-` is standard input.

    Each argument is opened by `open_source`, and all of them before the first page is read, so that
    a missing one is reported at once.
    """
    from rowen.sources.chain import Chain

    sources = [_argument(argument, limit=limit) for argument in arguments]
    return sources[0] if len(sources) == 1 else Chain(sources)


def _argument(argument: str, *, limit: int) -> Source:
    if argument == "-":
        from rowen.sources.files import StandardInput

        return StandardInput(limit=limit)
    return open_source(argument, limit=limit)


def _file(path: str, *, limit: int) -> Source:
    name = path.lower()
    if name.endswith((".warc", ".warc.gz")):
        from rowen.sources.warc import Warc

        return Warc(path, limit=limit)
    if name.endswith(".parquet"):
        from rowen.sources.parquet import Parquet

        return Parquet(path, limit=limit)
    if name.endswith((".jsonl", ".jsonl.gz", ".ndjson", ".ndjson.gz")):
        from rowen.sources.jsonl import JsonLines

        return JsonLines(path, limit=limit)
    from rowen.sources.files import File

    return File(path, limit=limit)
