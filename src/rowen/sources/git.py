"""Folders of a git repository as they were at a revision: `git:REPO@REV[:SUBFOLDER]`."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import IO, Self

from rowen.model.errors import DocumentError, SourceError
from rowen.model.page import Page
from rowen.sources.base import CrawlNote, Source, Stamps, page_or_error, unicode_id
from rowen.sources.suffixes import may_be_page
from rowen.text.charset import PAGE_BYTES

SCHEME = "git:"

_CONFIGURATION = (
    *("-c", "core.hooksPath=/dev/null"),
    *("-c", "core.fsmonitor=false"),
    *("-c", "protocol.allow=never"),
)
"""Attack: a stranger's repository can configure programs that git runs (hooks, file-system
monitors) and addresses that it fetches from. These options turn both off."""

_ELSEWHERE = frozenset(
    (
        "GIT_ALTERNATE_OBJECT_DIRECTORIES",
        "GIT_COMMON_DIR",
        "GIT_DIR",
        "GIT_GRAFT_FILE",
        "GIT_INDEX_FILE",
        "GIT_NAMESPACE",
        "GIT_OBJECT_DIRECTORY",
        "GIT_PREFIX",
        "GIT_REPLACE_REF_BASE",
        "GIT_SHALLOW_FILE",
        "GIT_WORK_TREE",
    )
)
"""Variables that git sets for its hooks. If Rowen runs in a hook, they would make git read that
repository and not the one that the user names."""

_BATCH = 64
"""How many objects are requested at a time: few enough that the request fits into a pipe. Otherwise
git could wait for us to read while we wait for it to read."""

_CHUNK = 64 * 1024


@dataclass(frozen=True, slots=True)
class GitSpec:
    """The parts of `git:REPO@REV[:SUBFOLDER]`."""

    repository: str
    revision: str
    subfolder: str

    @classmethod
    def parse(cls, spec: str) -> "GitSpec":
        """Split a spec into its parts.

        Each part may contain an `@`: the last one that has the path of a folder before it counts. A
        revision has no `:`, so the first `:` after it starts the subfolder.
        """
        reference = spec.removeprefix(SCHEME)
        places = [index for index, sign in enumerate(reference) if sign == "@"]
        if not places:
            raise SourceError(f"{spec} has no revision: write git:REPO@REV or git:REPO@REV:FOLDER")
        at = next((at for at in reversed(places) if Path(reference[:at]).is_dir() and at), None)
        if at is None:
            raise SourceError(f"no such folder: {reference[: places[0]]}")
        revision, _, subfolder = reference[at + 1 :].partition(":")
        parts = [part for part in subfolder.split("/") if part not in {"", "."}]
        # A revision that starts with `-` would be an option to git.
        if not revision or revision.startswith("-") or ".." in parts or "\0" in reference:
            raise SourceError(
                f"{spec} is not a valid revision and folder of {reference[:at]}: "
                "write git:REPO@REV or git:REPO@REV:FOLDER"
            )
        return cls(reference[:at], revision, "/".join(parts))


class Git(Source):
    """The files of a revision, or of one folder in it, sorted by path.

    Which files are pages is decided as in a folder. Links and submodules are skipped. The revision
    is looked up once: if its branch moves on, the pages stay the same. A run does not read files
    whose objects are those of the last run.
    """

    stamps: Stamps | None = None

    def __init__(self, spec: str, *, limit: int = PAGE_BYTES) -> None:
        self.name = unicode_id(spec)
        self.limit = limit
        self._spec = GitSpec.parse(spec)
        self._tree = self._look_up()

    @property
    def count_hint(self) -> int:
        """How many files will be read."""
        return sum(1 for _ in self._files())

    def comparing(self, stamps: Stamps) -> Self:
        """The same revision; the stamp of a file is its object."""
        source = copy(self)
        source.stamps = stamps
        return source

    def found(self) -> Iterator[Page | DocumentError | CrawlNote]:
        """The pages, from one git process that lists files and one that reads them."""
        files = self._files()
        with self._running("cat-file", "--batch") as (questions, answers):
            while batch := list(islice(files, _BATCH)):
                same = [self._is_same(blob, page_id) for blob, page_id in batch]
                wanted = [
                    blob for (blob, _), is_same in zip(batch, same, strict=True) if not is_same
                ]
                questions.write(b"".join(blob + b"\n" for blob in wanted))
                questions.flush()
                for (_, page_id), is_same in zip(batch, same, strict=True):
                    yield CrawlNote(page_id, "same") if is_same else self._answer(answers, page_id)

    def _is_same(self, blob: bytes, page_id: str) -> bool:
        return self.stamps is not None and self.stamps.is_known(page_id, f"git {blob.decode()}")

    def _answer(self, answers: IO[bytes], page_id: str) -> Page | DocumentError:
        """Read one object as git writes it: `ID TYPE SIZE`, the content, a newline."""
        head = answers.readline()
        if not head:
            raise SourceError(f"{self.name}: git ended before {page_id} was read")
        size = head.split()[-1]
        if not size.isdigit():
            return DocumentError(page_id, "is missing from the repository")
        left = int(size)
        too_large = left > self.limit
        data = b""
        while left:
            # A page above the limit is still read, chunk by chunk: the next one comes behind it.
            data = answers.read(min(left, _CHUNK) if too_large else left)
            if not data:
                raise SourceError(f"{self.name}: git ended before {page_id} was read")
            left -= len(data)
        answers.read(1)
        if too_large:
            return DocumentError(page_id, f"is larger than the limit of {self.limit:,} bytes")
        return page_or_error(data, page_id, limit=self.limit)

    def _files(self) -> Iterator[tuple[bytes, str]]:
        """Object and id of each file that may be a page."""
        with self._running("ls-tree", "-r", "-z", "--full-tree", self._tree) as (_, listing):
            unfinished = b""
            while chunk := listing.read(_CHUNK):
                *entries, unfinished = (unfinished + chunk).split(b"\x00")
                for entry in entries:
                    about, _, path = entry.partition(b"\t")
                    mode, _, blob = about.split(b" ")
                    name = unicode_id(path)
                    # Mode 100 is a file. Links (120) could lead anywhere, and submodules (160) have
                    # no content here.
                    if mode.startswith(b"100") and _is_shown(name):
                        yield blob, name

    def _look_up(self) -> str:
        """The tree that the revision and the subfolder name."""
        spec = self._spec
        if self._output("rev-parse", "--git-dir") is None:
            raise SourceError(f"not a git repository: {spec.repository}")
        tree = self._output("rev-parse", "--verify", "--quiet", f"{spec.revision}^{{tree}}")
        if tree is None:
            raise SourceError(f"no revision {spec.revision!r} in the repository {spec.repository}")
        if not spec.subfolder:
            return tree
        named = self._output("rev-parse", "--verify", "--quiet", f"{tree}:{spec.subfolder}")
        below = named and self._output("rev-parse", "--verify", "--quiet", f"{named}^{{tree}}")
        if not below:
            raise SourceError(
                f"no folder {spec.subfolder!r} in {spec.revision} of {spec.repository}"
            )
        return below

    def _output(self, *arguments: str) -> str | None:
        """The output of a git command; None if it fails."""
        try:
            process = subprocess.run(  # noqa: S603  # a list without a shell; nothing in it is an option
                self._command(*arguments), capture_output=True, check=False, env=_environment()
            )
        except OSError as error:
            raise _missing_git(error) from None
        return (
            process.stdout.decode("utf-8", "replace").strip() if process.returncode == 0 else None
        )

    def _command(self, *arguments: str) -> list[str]:
        return ["git", *_CONFIGURATION, "-C", self._spec.repository, *arguments]

    @contextmanager
    def _running(self, *arguments: str) -> Iterator[tuple[IO[bytes], IO[bytes]]]:
        """Start a git process and yield its input and output; it ends with the block."""
        try:
            process = subprocess.Popen(  # noqa: S603  # as above
                self._command(*arguments),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=_environment(),
            )
        except OSError as error:
            raise _missing_git(error) from None
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            yield process.stdin, process.stdout
        except BrokenPipeError:
            raise SourceError(f"{self.name}: git ended before all pages were read") from None
        finally:
            # The caller may have stopped early, and git would wait for ever to write the rest.
            process.kill()
            process.communicate()


def _is_shown(path: str) -> bool:
    """Whether neither the file nor a folder above it is hidden, and its suffix may be a page's."""
    return not path.startswith(".") and "/." not in path and may_be_page(path.rpartition("/")[2])


def _environment() -> dict[str, str]:
    """Our environment without variables that name another repository, and without prompts."""
    inherited = {name: value for name, value in os.environ.items() if name not in _ELSEWHERE}
    return {
        **inherited,
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        # A partial clone would fetch what is missing from the network.
        "GIT_NO_LAZY_FETCH": "1",
    }


def _missing_git(error: OSError) -> SourceError:
    return SourceError(f"can't run git, which is needed here: {error.strerror}; install git")
