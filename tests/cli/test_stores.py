"""`rowen stores` and `rowen verify-store`, and the numbers of a run for other programs."""

import json
import logging
from pathlib import Path

import pytest
from here import Here

from rowen import Page, Pattern, Store, extractor
from rowen.cli import main
from rowen.cli.quantities import shown_size

ROOMS = Pattern(r"(?P<room>CS \d{3})", name="rooms")
LINES = [f"room CS {number} of the house\n" for number in range(100, 140)]
NIGHTS = [
    {"a": "".join(LINES), "b": "".join(LINES[9:])},
    {"a": "".join(LINES), "b": "".join(LINES[9:]).replace("CS 120", "CS 999")},
    {"a": "".join(LINES), "b": "".join(LINES[9:]).replace("CS 120", "CS 998")},
]


@pytest.fixture
def store(tmp_path) -> Path:
    for night in NIGHTS:
        Store(tmp_path / "store").run([ROOMS], night, engine=Here())
    return tmp_path / "store"


def check(store: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    code = main(["verify-store", "--store", str(store)])
    out, errors = capsys.readouterr()
    return code, out, errors


def flip(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[len(content) // 3] ^= 255
    file.write_bytes(content)


def test_a_sound_store_is_sound(store, capsys):
    assert check(store, capsys) == (0, "3 snapshots, 4 texts: nothing is damaged\n", "")


def test_a_damaged_text_is_damaged_in_all_snapshots_that_need_it(store, capsys):
    flip(store / "texts/000000/0000.parquet")
    code, out, errors = check(store, capsys)
    assert code == 6
    assert "damaged: 0, 1, 2" in out
    assert "texts/000000/0000.parquet" in errors
    assert "rowen run --scratch" in errors
    Store(store).run([ROOMS], NIGHTS[2], engine=Here(), scratch=True)
    code, out, errors = check(store, capsys)
    assert "rowen prune --keep 1" in errors
    assert main(["prune", "--store", str(store), "--keep", "1", "-q"]) == 0
    assert check(store, capsys)[0] == 0


@pytest.mark.parametrize("name", ["pages-0000.columns", "records-rooms-0000.columns"])
@pytest.mark.parametrize("snapshot", [0, 1, 2])
def test_a_damaged_file_is_damaged_in_all_that_are_differences_from_it(
    store, capsys, name, snapshot
):
    flip(store / f"snapshots/{snapshot:06}" / name)
    code, out, errors = check(store, capsys)
    assert code == 6
    assert f"damaged: {', '.join(str(number) for number in range(snapshot, 3))}" in out
    assert f"{snapshot:06}/{name}" in errors


def test_stores_are_listed_with_their_runs(store, capsys):
    assert main(["stores", str(store.parent)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(f"{store}: 2 pages, rooms; 3 snapshots; ")
    assert len(lines) == 4
    assert main(["stores", str(store), "-f", "json"]) == 0
    described = json.loads(capsys.readouterr().out)
    size = sum(file.stat().st_size for file in store.rglob("*/*") if file.is_file())
    assert described["bytes"] == size
    assert described["sizes"].keys() == {"texts", "pages", "records", "reports"}
    assert [run["records"]["rooms"] for run in described["runs"]] == [71, 71, 71]
    assert all(run["seconds"] > 0 for run in described["runs"])


def test_a_folder_without_stores_is_said_to_have_none(tmp_path, capsys):
    assert main(["stores", str(tmp_path)]) == 4
    assert "no store at" in capsys.readouterr().err


def test_the_steps_of_a_run_add_up_to_its_time(tmp_path):
    pages = [Page(f"CS {number % 900 + 100}", id=str(number)) for number in range(300)]
    for _ in range(2):
        report = Store(tmp_path / "store").run([ROOMS], pages, jobs=1)
        steps = {step: spent for step, spent in report.seconds.items() if step != "total"}
        assert sum(steps.values()) >= 0.95 * report.seconds["total"]


def test_a_run_writes_metrics_and_logs(tmp_path, caplog, capsys):
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages/a.txt").write_text("CS 105")
    rules = tmp_path / "rules.toml"
    rules.write_text("[[extractor]]\nname = 'r\"'\nkind = 'pattern'\npattern = '(?P<n>\\d+)'\n")
    words = ["run", str(rules), "--snapshot", str(tmp_path / "pages")]
    with caplog.at_level(logging.INFO, "rowen.run"):
        main([*words, "--store", str(tmp_path / "s"), "--metrics", str(tmp_path / "m.prom")])
    assert any("snapshot 0: 1 page" in message for message in caplog.messages)
    parser = pytest.importorskip("prometheus_client.parser")
    families = parser.text_string_to_metric_families((tmp_path / "m.prom").read_text())
    samples = {
        (sample.name, *sample.labels.values()): sample.value
        for family in families
        for sample in family.samples
    }
    assert samples["rowen_run_pages", "new"] == 1
    assert samples["rowen_run_records", 'r"'] == 1
    assert samples["rowen_run_snapshot",] == 0
    capsys.readouterr()


def test_a_log_has_only_what_every_file_can_hold(tmp_path, caplog):
    @extractor(name="broken", version="1")
    def broken(text):
        raise ValueError(text)

    Store(tmp_path).run([broken], {"a\udcff": "text"})
    assert any("broken" in message for message in caplog.messages)
    "".join(caplog.messages).encode()


@pytest.mark.parametrize(
    ("size", "shown"),
    [
        (0, "0 bytes"),
        (999, "999 bytes"),
        (1_000, "1.0 kB"),
        (999_949, "999.9 kB"),
        (999_950, "1.0 MB"),
        (4_510_000_000, "4.5 GB"),
        (5 * 10**15, "5,000.0 TB"),
    ],
)
def test_sizes_have_a_unit_in_which_they_can_be_read(size, shown):
    assert shown_size(size) == shown
