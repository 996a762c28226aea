"""The documentation tells the truth: its examples run, and nothing public is missing from it.

In README.md and docs/*.md, from top to bottom of each file and all in one folder that has the
samples as `rowen demo` lays them out:

- a `pycon` block is a doctest;
- a `console` block is run line by line in a shell, and what it prints is compared;
- a block with a title, as in ```toml title="rules.toml", is a file of that name.

`...` stands for any text in what is printed.
"""

import doctest
import importlib
import inspect
import os
import re
import runpy
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from markdown.extensions.toc import slugify

import rowen
from rowen.cli.app import COMMANDS
from rowen.cli.demo import _lay_out

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
DOCUMENTS = [ROOT / "README.md", *sorted(DOCS.glob("*.md"))]
WITH_LINKS = [*DOCUMENTS, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]

BLOCK = re.compile(
    r"^(?P<indent> *)```(?P<language>\w+)(?P<options>[^\n]*)\n(?P<text>.*?)^(?P=indent)```$",
    re.MULTILINE | re.DOTALL,
)
TITLE = re.compile(r'title="(.+?)"')
ANCHOR = re.compile(r"\]\(([^)#:\s]*)#([^)\s]+)\)")
LINK = re.compile(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)")


@dataclass
class Block:
    """A fenced block of code, and the line of its document on which its text starts."""

    document: Path
    language: str
    title: str | None
    text: str
    line: int


def blocks(document):
    text = document.read_text("utf-8")
    for match in BLOCK.finditer(text):
        title = TITLE.search(match["options"])
        line = text.count("\n", 0, match.start("text")) + 1
        unindented = re.sub(f"^{match['indent']}", "", match["text"], flags=re.MULTILINE)
        yield Block(document, match["language"], title and title[1], unindented, line)


def run_python(block, names):
    """Run a block as a doctest; blocks of a document share their names."""
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    test = parser.get_doctest(
        block.text, names, block.document.name, str(block.document), block.line - 1
    )
    told = []
    runner.run(test, out=told.append, clear_globs=False)
    names.update(test.globs)
    assert not runner.failures, "".join(told)


def run_console(block):
    """Run each `$` line in a shell; what follows it is what it prints, errors included."""
    here = Path(sys.executable).parent
    path = f"{here}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "COLUMNS": "80", "NO_COLOR": "1"}
    for command, expected in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block.text, re.MULTILINE):
        ran = subprocess.run(
            command,
            shell=True,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        agree = doctest.OutputChecker().check_output(expected, ran.stdout, doctest.ELLIPSIS)
        assert agree, (
            f"{block.document.name}, block on line {block.line}\n"
            f"$ {command}\n--- printed\n{ran.stdout}--- expected\n{expected}"
        )


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_the_examples_of_a_document_run_as_shown(document, tmp_path, monkeypatch):
    _lay_out(tmp_path / "rowen-demo")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    names = {}
    for block in blocks(document):
        if block.title:
            Path(block.title).write_text(block.text, "utf-8")
        elif block.language == "pycon":
            run_python(block, names)
        elif block.language == "console":
            run_console(block)


GENERATE = runpy.run_path(str(DOCS / "generate.py"))


@pytest.mark.parametrize("name", GENERATE["PAGES"])
def test_a_generated_page_says_what_the_source_says(name):
    written = (DOCS / name).read_text("utf-8")
    assert written == GENERATE["NOTE"] + GENERATE["PAGES"][name](), (
        f"docs/{name} is out of date: run python docs/generate.py"
    )


def test_every_command_is_documented():
    text = (DOCS / "commands.md").read_text("utf-8")
    for name in COMMANDS:
        assert f"\n## rowen {name}\n" in text


def slugs(document):
    """The anchors of a document: its headings as the toc extension writes them."""
    text = BLOCK.sub("", document.read_text("utf-8"))
    titles = re.findall(r"^#{1,6} (.+?)\s*$", text, re.MULTILINE)
    plain = [re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", title).replace("`", "") for title in titles]
    return {slugify(title, "-") for title in plain} | set(re.findall(r"\{ *#([\w-]+)", text))


@pytest.mark.parametrize("document", WITH_LINKS, ids=lambda path: path.name)
def test_every_anchor_that_a_link_names_is_there(document):
    prose = re.sub("`[^`\n]+`", "", BLOCK.sub("", document.read_text("utf-8")))
    for target, anchor in ANCHOR.findall(prose):
        other = document.parent / target if target else document
        assert anchor in slugs(other), f"{target}#{anchor}"


BUILD = runpy.run_path(str(DOCS / "build.py"), run_name="build")


@pytest.mark.parametrize(
    "link", ["#nowhere", "other.md", "/absolute.md", '<a href="#nowhere">x</a>', "![x](no.png)"]
)
def test_a_broken_link_or_anchor_ends_the_build_of_the_documentation(link, tmp_path):
    settings = (ROOT / "mkdocs.yml").read_text("utf-8").partition("\nnav:")[0]
    (tmp_path / "mkdocs.yml").write_text(settings, "utf-8")
    shutil.copytree(DOCS / "look", tmp_path / "docs" / "look")
    page = tmp_path / "docs" / "index.md"
    page.write_text("# Here\n\n[a link](#here)\n", "utf-8")
    assert list(BUILD["broken_links"](BUILD["build"](tmp_path))) == []
    page.write_text(f"# Here\n\n{link if link[0] in '<!' else f'[a link]({link})'}\n", "utf-8")
    try:
        faults = list(BUILD["broken_links"](BUILD["build"](tmp_path)))
    except SystemExit as ended:
        faults = [ended.code]
    assert any(faults)


def is_error(thing):
    return isinstance(thing, type) and issubclass(thing, rowen.RowenError)


def shows_signature(text, name, thing):
    """Whether a text has the call with all of its parameters, types and line breaks aside."""
    given = inspect.signature(thing)
    bare = [one.replace(annotation=one.empty) for one in given.parameters.values()]
    call = f"{name}{given.replace(parameters=bare, return_annotation=given.empty)}"
    call = call.replace("<factory>", "{}")  # the only factory is that of dictionaries
    return "".join(call.replace("'", '"').split()) in "".join(text.split()).replace(",)", ")")


@pytest.mark.parametrize("name", rowen.__all__)
def test_every_public_name_is_documented_with_its_signature(name):
    text = (DOCS / "python.md").read_text("utf-8")
    thing = getattr(rowen, name)
    assert re.search(rf"`(rowen\.)?{name}`|^##+ {name}$", text, re.MULTILINE)
    if callable(thing) and not is_error(thing) and thing is not rowen.Extractor:
        assert shows_signature(text, f"rowen.{name}", thing)


@pytest.mark.parametrize("name", rowen.testing.__all__)
def test_every_check_for_authors_is_documented_with_its_signature(name):
    text = (DOCS / "python.md").read_text("utf-8")
    assert shows_signature(text, f"rowen.testing.{name}", getattr(rowen.testing, name))


def every_error():
    """The classes of errors with an exit code that Rowen defines, wherever they are."""
    for path in (ROOT / "src" / "rowen").rglob("*.py"):
        if re.search(r"^class \w+Error\(", path.read_text("utf-8"), re.MULTILINE):
            name = ".".join(path.relative_to(ROOT / "src").with_suffix("").parts)
            importlib.import_module(name.removesuffix(".__init__"))
    found, new = set(), {rowen.RowenError}
    while new:
        found |= new
        new = {kind for one in new for kind in one.__subclasses__()} - found
    return sorted(
        (one for one in found if one.__module__.startswith("rowen.") and one.__bases__[1:] == ()),
        key=lambda one: one.__name__,
    )


CODES = {0: "done", 1: "internal", 2: "usage", 3: "no consistent wrapper", 4: "bad input",
         5: "drift", 6: "store", 7: "labels", 130: "interrupted"}  # fmt: skip


def test_the_exit_codes_are_those_of_the_design_and_no_error_has_another():
    text = (DOCS / "errors.md").read_text("utf-8").partition("## Exit codes")[2]
    rows = dict(re.findall(r"^\| (\d+) \| (.+) \|$", text, re.MULTILINE))
    assert {int(code) for code in rows} == set(CODES)
    assert all(word in rows[str(code)] for code, word in CODES.items())
    assert {error.exit_code for error in every_error()} <= set(CODES)


@pytest.mark.parametrize("error", every_error())
def test_every_error_is_documented_with_its_exit_code_and_status(error):
    text = (DOCS / "errors.md").read_text("utf-8")
    row = f"| `{error.__name__}` | `{error.__base__.__name__}` | {error.exit_code} | "
    assert f"{row}{error.http_status} |" in text


@pytest.mark.parametrize("document", WITH_LINKS, ids=lambda path: path.name)
def test_every_link_between_documents_leads_somewhere(document):
    prose = re.sub("`[^`\n]+`", "", BLOCK.sub("", document.read_text("utf-8")))
    for target in LINK.findall(prose):
        assert (document.parent / target).exists(), target


@pytest.mark.parametrize("document", WITH_LINKS, ids=lambda path: path.name)
def test_no_document_shows_an_unfinished_merge(document):
    assert not re.search("^(<{7}|>{7}) ", document.read_text("utf-8"), re.MULTILINE)
