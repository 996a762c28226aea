"""Folders of a git repository as they were at a revision: `git:REPO@REV[:SUBFOLDER]`."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import IO

from rowen.limits import PAGE_BYTES
from rowen.model.errors import DocumentError, SourceError
from rowen.model.page import Page
from rowen.sources.base import Source, page_or_error, unicode_id
from rowen.sources.suffixes import may_be_page

SCHEME = "git:"

_CONFIGURATION = (
    *("-c", "core.hooksPath=/dev/null"),
    *("-c", "core.fsmonitor=false"),
    *("-c", "protocol.allow=never"),
)
"""Nothing that a stranger's repository configures is run, and nothing is fetched."""

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
"""What git sets for its hooks; there it would lead away from the repository that is named."""

_BATCH = 64
"""Objects asked for at a time: few enough that the question fits into a pipe, so that git never
waits for us to read while we wait for it to."""

_CHUNK = 64 * 1024


@dataclass(frozen=True, slots=True)
class GitSpec:
    """The parts of `git:REPO@REV[:SUBFOLDER]`."""

    repository: str
    revision: str
    subfolder: str

    @classmethod
    def parse(cls, spec: str) -> "GitSpec":
        """The parts of a spec.

        Any of them may have an `@`: the last one with a folder's path before it counts. A revision
        has no `:`, so the first one after it starts the subfolder.
        """
        rest = spec.removeprefix(SCHEME)
        places = [index for index, sign in enumerate(rest) if sign == "@"]
        if not places:
            raise SourceError(
                f"{spec} names no revision: write git:REPO@REV or git:REPO@REV:FOLDER"
            )
        at = next((at for at in reversed(places) if Path(rest[:at]).is_dir() and at), None)
        if at is None:
            raise SourceError(f"no such folder: {rest[: places[0]]}")
        revision, _, subfolder = rest[at + 1 :].partition(":")
        parts = [part for part in subfolder.split("/") if part not in {"", "."}]
        if not revision or revision.startswith("-") or ".." in parts or "\0" in rest:
            raise SourceError(f"{spec} names no revision and folder of {rest[:at]}")
        return cls(rest[:at], revision, "/".join(parts))


class Git(Source):
    """The files of a revision, or of one folder in it, in the order of their paths.

    Which of them are pages is decided as for a folder. Links and submodules are left out. The
    revision is looked up once: a branch that moves on does not change the pages.
    """

    def __init__(self, spec: str, *, limit: int = PAGE_BYTES) -> None:
        self.name = unicode_id(spec)
        self.limit = limit
        self._spec = GitSpec.parse(spec)
        self._tree = self._look_up()

    @property
    def count_hint(self) -> int:
        """How many files will be read."""
        return sum(1 for _ in self._files())

    def found(self) -> Iterator[Page | DocumentError]:
        """The pages, from one git process that lists them and one that reads them."""
        files = self._files()
        with self._running("cat-file", "--batch") as (questions, answers):
            while batch := list(islice(files, _BATCH)):
                questions.write(b"".join(blob + b"\n" for blob, _ in batch))
                questions.flush()
                for _, page_id in batch:
                    yield self._answer(answers, page_id)

    def _answer(self, answers: IO[bytes], page_id: str) -> Page | DocumentError:
        """One object as git gives it: `ID TYPE SIZE`, the content, a newline."""
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
            kept = b""
            while chunk := listing.read(_CHUNK):
                *entries, kept = (kept + chunk).split(b"\x00")
                for entry in entries:
                    about, _, path = entry.partition(b"\t")
                    mode, _, blob = about.split(b" ")
                    name = unicode_id(path)
                    if mode.startswith(b"100") and _is_shown(name):
                        yield blob, name

    def _look_up(self) -> str:
        """The tree that the revision and the subfolder name."""
        spec = self._spec
        if self._asked("rev-parse", "--git-dir") is None:
            raise SourceError(f"not a git repository: {spec.repository}")
        tree = self._asked("rev-parse", "--verify", "--quiet", f"{spec.revision}^{{tree}}")
        if tree is None:
            raise SourceError(f"no revision {spec.revision!r} in the repository {spec.repository}")
        if not spec.subfolder:
            return tree
        named = self._asked("rev-parse", "--verify", "--quiet", f"{tree}:{spec.subfolder}")
        below = named and self._asked("rev-parse", "--verify", "--quiet", f"{named}^{{tree}}")
        if not below:
            raise SourceError(
                f"no folder {spec.subfolder!r} in {spec.revision} of {spec.repository}"
            )
        return below

    def _asked(self, *arguments: str) -> str | None:
        """What a git command prints; None where it fails."""
        try:
            done = subprocess.run(  # noqa: S603  # a list without a shell; nothing in it is an option
                self._command(*arguments), capture_output=True, check=False, env=_environment()
            )
        except OSError as error:
            raise _not_there(error) from None
        return done.stdout.decode("utf-8", "replace").strip() if done.returncode == 0 else None

    def _command(self, *arguments: str) -> list[str]:
        return ["git", *_CONFIGURATION, "-C", self._spec.repository, *arguments]

    @contextmanager
    def _running(self, *arguments: str) -> Iterator[tuple[IO[bytes], IO[bytes]]]:
        """A git process with its input and output; it is ended with the block."""
        try:
            process = subprocess.Popen(  # noqa: S603  # as above
                self._command(*arguments),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=_environment(),
            )
        except OSError as error:
            raise _not_there(error) from None
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            yield process.stdin, process.stdout
        except BrokenPipeError:
            raise SourceError(f"{self.name}: git ended before all pages were read") from None
        finally:
            process.kill()
            process.communicate()


def _is_shown(path: str) -> bool:
    """Whether neither the file nor a folder around it is hidden, and the suffix allows a page."""
    return not path.startswith(".") and "/." not in path and may_be_page(path.rpartition("/")[2])


def _environment() -> dict[str, str]:
    """Ours without what would point git at another repository or have it ask somebody."""
    kept = {name: value for name, value in os.environ.items() if name not in _ELSEWHERE}
    return {**kept, "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1"}


def _not_there(error: OSError) -> SourceError:
    return SourceError(f"can't run git, which reads repositories: {error.strerror}; install it")
