import os
import subprocess

import pytest

from rowen.model import Page, SourceError
from rowen.sources import open_source
from rowen.sources.git import GitSpec

IDENTITY = ("-c", "user.name=T", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false")


def git(folder, *arguments):
    done = subprocess.run(
        ["git", "-C", folder, *IDENTITY, *arguments], check=True, capture_output=True
    )
    return done.stdout.decode().strip()


def commit(folder, **files):
    for name, data in files.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "x")
    return git(folder, "rev-parse", "HEAD")


@pytest.fixture
def repository(tmp_path):
    folder = tmp_path / "repo"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    commit(folder, a_html=b"A", docs__b_md=b"B", docs__deep__c_md="é".encode())
    return folder


def test_the_files_of_a_revision_are_pages(repository):
    source = open_source(f"git:{repository}@main")
    expected = [Page("A", "a.html"), Page("B", "docs/b.md"), Page("é", "docs/deep/c.md")]
    assert list(source) == list(source) == expected
    assert source.count_hint == 3
    assert source.name == f"git:{repository}@main"


@pytest.mark.parametrize("name", ["docs", "docs/", "/docs", "./docs", "docs//"])
def test_ids_are_paths_in_the_subfolder(repository, name):
    source = open_source(f"git:{repository}@main:{name}")
    assert [page.id for page in source] == ["b.md", "deep/c.md"]


def test_old_revisions_are_read_as_they_were(repository):
    commit(repository, a_html=b"A2")
    git(repository, "tag", "-a", "-m", "x", "v1")
    for revision, text in (("HEAD", "A2"), ("HEAD~1", "A"), ("main@{1}", "A"), ("v1", "A2")):
        assert next(iter(open_source(f"git:{repository}@{revision}"))).text == text


def test_a_branch_that_moves_on_does_not_change_the_pages(repository):
    source = open_source(f"git:{repository}@main")
    commit(repository, a_html=b"A2")
    assert next(iter(source)).text == "A"


def test_what_is_no_page_is_left_out(repository):
    (repository / "link").symlink_to("a.html")
    commit(repository, x_png=b"\x89PNG", _github__x=b"x", docs___hidden=b"x", x_css=b"x")
    found = [page.id for page in open_source(f"git:{repository}@main")]
    assert found == ["a.html", "docs/b.md", "docs/deep/c.md"]


def test_binary_and_large_files_are_reported(repository):
    commit(repository, b=b"%PDF-1.4", c=b"x" * 200_000, d=b"D")
    errors = []
    source = open_source(f"git:{repository}@main", limit=1000)
    found = [page.id for page in source.pages(on_error=errors.append)]
    assert found == ["a.html", "d", "docs/b.md", "docs/deep/c.md"]
    assert [str(error) for error in errors] == [
        "b: is a PDF, not a page of text or HTML",
        "c: is larger than the limit of 1,000 bytes",
    ]


def test_names_that_are_no_unicode_and_names_with_newlines_are_ids(repository):
    for name in (b"caf\xe9", b"new\nline", b'quo"te\t'):
        (repository / os.fsdecode(name)).write_bytes(b"x")
    commit(repository)
    found = {page.id for page in open_source(f"git:{repository}@main")}
    assert {"caf\\xe9", "new\nline", 'quo"te\t'} <= found


def test_many_and_large_files_are_streamed(repository):
    files = {f"n{n:04}": b"x" * n * 50 for n in range(500)}
    commit(repository, **files, z=b"y" * 3_000_000)
    pages = list(open_source(f"git:{repository}@main"))
    assert [len(page.text) for page in pages if page.id[0] == "n"] == [n * 50 for n in range(500)]
    assert len(pages[-1].text) == 3_000_000


def test_leaving_early_ends_the_processes(repository):
    pages = iter(open_source(f"git:{repository}@main"))
    next(pages)
    pages.close()


def test_a_missing_object_is_reported(repository):
    blob = git(repository, "rev-parse", "main:a.html")
    (repository / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    errors = []
    found = [p.id for p in open_source(f"git:{repository}@main").pages(on_error=errors.append)]
    assert found == ["docs/b.md", "docs/deep/c.md"]
    assert [str(error) for error in errors] == ["a.html: is missing from the repository"]


def test_a_bare_repository_is_read(repository, tmp_path):
    git(tmp_path, "clone", "-q", "--bare", str(repository), str(tmp_path / "bare"))
    assert len(list(open_source(f"git:{tmp_path}/bare@main"))) == 3


@pytest.mark.parametrize(
    ("rest", "message"),
    [
        ("", "has no revision: write git:REPO@REV"),
        ("@", "is not a valid revision and folder"),
        ("@nope", "no revision 'nope' in the repository"),
        ("@--upload-pack=x", "is not a valid revision and folder"),
        ("@-h", "is not a valid revision and folder"),
        ("@main:../x", "is not a valid revision and folder"),
        ("@main\0", "is not a valid revision and folder"),
        ("@main:nope", "no folder 'nope' in main"),
        ("@main:--help", "no folder '--help' in main"),
        ("@main:a.html", "no folder 'a.html' in main"),
        ("@main..main", "no revision"),
        ("@:docs", "is not a valid revision and folder"),
        ("x@main", "no such folder: .*repox"),
    ],
)
def test_a_wrong_spec_is_a_source_error_at_once(repository, rest, message):
    with pytest.raises(SourceError, match=message) as caught:
        open_source(f"git:{repository}{rest}")
    assert "\n" not in str(caught.value)


def test_a_folder_that_is_no_repository_is_a_source_error(tmp_path, monkeypatch):
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    with pytest.raises(SourceError, match="not a git repository"):
        open_source(f"git:{tmp_path}@main")


def test_without_git_the_message_says_what_to_do(repository, monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(SourceError, match="can't run git, which is needed here: .*install git"):
        open_source(f"git:{repository}@main")


def test_the_environment_cannot_point_to_another_repository(repository, monkeypatch):
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    assert len(list(open_source(f"git:{repository}@main"))) == 3


def test_a_repository_cannot_run_programs(repository, tmp_path):
    trap = tmp_path / "trap"
    trap.write_text(f"#!/bin/sh\ntouch {tmp_path}/sprung\n")
    trap.chmod(0o700)
    for key in (
        "core.fsmonitor",
        "core.pager",
        "core.sshCommand",
        "diff.external",
        "filter.x.smudge",
    ):
        git(repository, "config", key, str(trap))
    commit(repository, _gitattributes=b"* filter=x diff=x\n")
    (tmp_path / "sprung").unlink(missing_ok=True)
    list(open_source(f"git:{repository}@main"))
    assert not (tmp_path / "sprung").exists()


def test_all_parts_of_a_spec_may_have_an_at_sign_and_a_colon(tmp_path):
    for name in ("r", "my@repo", "a:b"):
        (tmp_path / name).mkdir()
    for spec, expected in {
        "r@main": ("r", "main", ""),
        "r@HEAD@{1}": ("r", "HEAD@{1}", ""),
        "my@repo@main": ("my@repo", "main", ""),
        "my@repo@v1:docs/x@y": ("my@repo", "v1", "docs/x@y"),
        "a:b@main:docs:old": ("a:b", "main", "docs:old"),
        "r@@": ("r", "@", ""),
    }.items():
        found = GitSpec.parse(f"git:{tmp_path}/{spec}")
        assert found == GitSpec(f"{tmp_path}/{expected[0]}", *expected[1:])
