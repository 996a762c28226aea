"""What `auto` learns on real and hand-made sites, exported and run in an interpreter of its own."""

import json
import subprocess
import sys
from types import SimpleNamespace

import pytest
from benchmarks.wrappers.modern import learned, page_tasks
from benchmarks.wrappers.modern_pages import modern_sites
from benchmarks.wrappers.sites import sites, there
from benchmarks.wrappers.trial import try_learn
from exported import agree_apart

from rowen.programs.scrapy import to_scrapy

pytestmark = pytest.mark.slow

MODERN = {site.name: site for site in modern_sites()[::2]}
"""Every second one: `python -m benchmarks.wrappers exports` takes all."""


@pytest.fixture(scope="module")
def wrappers():
    """The wrapper of each hand-made site, learned once."""
    return {
        name: wrapper
        for name, site in MODERN.items()
        if (wrapper := learned(next(page_tasks(site, 2)))) is not None
    }


@pytest.mark.parametrize("name", MODERN)
def test_the_module_of_a_hand_made_site_gives_the_values_of_rowen(wrappers, name):
    if name not in wrappers:
        pytest.skip("nothing is learned here from two pages")
    assert agree_apart(wrappers[name], [gold.page for gold in MODERN[name].pages]) > 0


@pytest.mark.skipif(not there(), reason="the shared data is not there")
@pytest.mark.parametrize("collection", ["procyclingstats", "court_opinions", "pacer_attachments"])
def test_the_module_of_a_list_from_one_mark_gives_the_values_of_rowen(collection):
    count = 0
    for site in sites(collection)[:6]:
        page, label = site.pages[0]
        wrapper = try_learn([(page, label[:1])], "auto", partial=True) if len(label) > 1 else None
        if wrapper is not None:
            count += agree_apart(wrapper, [page for page, _ in site.pages[:3]])
    assert count > 0


AS_JSON = """
import json, sys
sys.path.insert(0, ".")
import exported
plain = lambda value: value.isoformat() if hasattr(value, "isoformat") else str(value)
print(json.dumps(exported.extract(sys.stdin.read(), sys.argv[1]), default=plain))
"""


def test_the_command_writes_a_module_that_gives_what_extract_gives(tmp_path, wrappers):
    name = next(name for name, wrapper in wrappers.items() if wrapper.wrapper_class == "nested")
    pages = tmp_path / "pages"
    pages.mkdir()
    for number, gold in enumerate(MODERN[name].pages):
        (pages / f"{number}.html").write_text(gold.page.text, "utf-8", newline="")
    wrappers[name].save(tmp_path / "wrapper.json")

    def run(*arguments, text=None):
        command = [sys.executable, *arguments]
        done = subprocess.run(
            command, check=True, capture_output=True, encoding="utf-8", cwd=tmp_path, input=text
        )
        return done.stdout

    run("-m", "rowen", "explain", "wrapper.json", "--as", "python", "-o", "exported.py")
    extracted = {}
    for line in run("-m", "rowen", "extract", "wrapper.json", "pages").splitlines():
        record = json.loads(line)
        extracted.setdefault(record["page"], []).append(record["values"])
    assert len(extracted) == len(MODERN[name].pages)
    for page, records in extracted.items():
        text = (pages / page).read_text("utf-8")
        assert json.loads(run("-I", "-S", "-c", AS_JSON, page, text=text)) == records


def test_the_spider_gives_lists_of_records_whole(wrappers):
    pytest.importorskip("itemloaders")
    names = {}
    wrapper = next(one for one in wrappers.values() if one.wrapper_class == "nested")
    site = next(name for name, one in wrappers.items() if one is wrapper)
    source = to_scrapy(wrapper).replace("from scrapy import Spider", "Spider = object")
    exec(compile(source, "spider.py", "exec"), names)
    for gold in MODERN[site].pages:
        page = gold.page
        response = SimpleNamespace(text=page.text, url=page.id)
        items = list(names["WrapperSpider"]().parse(response))
        assert items == [without_missing(record.values) for record in wrapper.extract(page)]


def without_missing(value):
    """As items are: a field that is missing is left out, also in records inside records."""
    if isinstance(value, list):
        return [without_missing(inner) for inner in value]
    if not isinstance(value, dict) or "amount" in value:
        return value
    return {
        name: without_missing(inner) for name, inner in value.items() if inner not in (None, "")
    }
