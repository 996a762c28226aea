"""The core works without any optional package, and all else says what to install."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import rowen
from rowen.cli.app import COMMANDS
from rowen.cli.demo import _lay_out

PROJECT = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]
EXTRAS = PROJECT["optional-dependencies"]
CORE = {"numpy", "click", "regex", "turbohtml", "ahocorasick_rs"}

HIDING = f"""
import sys
CORE = {CORE | {"rowen"}!r} | set(sys.stdlib_module_names)
class Hidden:
    def find_spec(self, name, path=None, target=None):
        # What a package of the core brings itself is no package of others.
        package = name.partition(".")[0]
        if package not in CORE and not package.startswith(("_", "numpy", "turbohtml")):
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Hidden())
"""
RUN = f"{HIDING}\nsys.argv[0] = 'rowen'\nfrom rowen.cli import run\nrun()"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("core")
    _lay_out(place / "samples")
    pages = list(rowen.open_source(place / "samples" / "bookshop"))
    rowen.discover(pages)[0].wrapper().save(place / "w.json")
    names = [
        {"title": record.values["title"]}
        for record in rowen.load(place / "w.json").extract(pages[0])
    ]
    rowen.learn([rowen.Example(pages[0], names)]).save(place / "titles.json")
    (place / "refs.txt").write_text("Knuth, D. E. (1984). Literate programming. Comp. J. 27, 97.\n")
    (place / "refs.jsonl").write_text('{"text": "a"}\n')
    return place


def run(folder, code, *arguments):
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_the_core_is_five_packages():
    assert {
        re.split(r"[>=]", name)[0].replace("-", "_") for name in PROJECT["dependencies"]
    } == CORE


IN_THE_CORE = [
    "discover samples/bookshop",
    "discover samples/bookshop --table 1 -o w.json",
    "extract w.json samples/bookshop -o records.jsonl",
    "extract w.json samples/bookshop -o records.csv",
    "extract w.json samples/bookshop -o records.html",
    "learn samples/case-studies --labels samples/labels.jsonl -o learned.json",
    "extract samples/rules.toml samples/feature-gates -f json",
    "check w.json samples/bookshop",
    "repair titles.json samples/bookshop",
    "explain w.json",
    "cite refs.txt",
    "cite refs.txt -f bibtex",
    "completion bash",
]


def test_learning_extracting_and_citations_need_nothing_else(folder):
    for line in IN_THE_CORE:
        done = run(folder, RUN, *line.split())
        assert done.returncode in {0, 5 if line.startswith("repair") else 0}, (line, done.stderr)
        assert "Error" not in done.stderr, line
    assert (folder / "records.jsonl").read_text().count("\n") == 24


NEEDS = {
    "extract w.json samples/bookshop -o records.parquet": "store",
    "extract w.json samples/bookshop -o records.xlsx": "store",
    "extract w.json samples/bookshop -o records.arrow": "store",
    "run samples/rules.toml --snapshot samples/feature-gates --store store": "store",
    "records --store store": "store",
    "history --store store --extractor rooms": "store",
    "changes --store store --extractor rooms": "store",
    "sync --store store --to sqlite:a.sqlite": "store",
    "prune --store store --keep 1": "store",
    "verify-store --store store": "store",
    "match refs.jsonl --works works.parquet": "store",
    "paper samples/papers/jose.00050.pdf": "paper",
    "serve --check --port 0": "serve",
    "studio --no-browser --port 0": "studio",
    "mcp": "mcp",
    "token add x --file t.json": "serve",
    "backup rowen-data copy": "studio",
    "demo": "all",
}
ELSEWHERE = {"train", "library", "stores"}
"""What they need depends on what they are called with."""


@pytest.mark.parametrize("line", NEEDS)
def test_a_command_says_what_to_install(folder, line):
    (folder / "store").mkdir(exist_ok=True)
    (folder / "works.parquet").write_bytes(b"")
    done = run(folder, RUN, *line.split())
    assert done.returncode == 2, done.stderr
    assert re.search(rf"needs the package \w+: pip install 'rowen\[{NEEDS[line]}\]'", done.stderr)
    assert NEEDS[line] in EXTRAS


def test_every_command_is_in_the_core_or_names_its_extra():
    listed = {line.split()[0] for line in (*IN_THE_CORE, *NEEDS)}
    assert set(COMMANDS) <= listed | ELSEWHERE


@pytest.mark.parametrize(
    ("call", "extra"),
    [
        ("rowen.Store('s')", "store"),
        ("rowen.sync", "store"),
        ("rowen.open_source('samples/a.parquet')", "store"),
        ("rowen.open_source('samples/a.warc')", "store"),
        ("rowen.Pattern('(?P<a>x)', name='p').extract('x').to_arrow()", "store"),
        ("rowen.Pattern('(?P<a>x)', name='p').extract('x').to_pandas()", "store"),
        ("rowen.open_writer('parquet', 'a.parquet')", "store"),
        ("rowen.read_paper('samples/papers/jose.00050.pdf')", "paper"),
        ("list(rowen.read_papers('samples/papers'))", "paper"),
        ("rowen.Client('http://127.0.0.1:1')", "client"),
    ],
)
def test_a_public_function_says_what_to_install(folder, call, extra):
    for name in ("a.parquet", "a.warc"):
        (folder / "samples" / name).write_bytes(b"")
    code = f"""{HIDING}
import rowen
try:
    {call}
except rowen.errors.MissingPackageError as error:
    print(error.extra, error.package, isinstance(error, rowen.errors.UsageError))
"""
    done = run(folder, code)
    assert done.stdout.split()[0::2] == [extra, "True"], done.stderr


def test_every_extra_that_a_message_names_exists():
    source = Path(__file__).parents[1] / "src"
    texts = [path.read_text() for path in source.rglob("*.py")]
    named = {name for text in texts for name in re.findall(r'(?:needs|require)\("(\w+)"', text)}
    assert named <= set(EXTRAS)
    # One error class: no other message of the code tells what to install.
    assert not [text for text in texts if re.search(r"Error\([^)]*pip install .?rowen", text)]
