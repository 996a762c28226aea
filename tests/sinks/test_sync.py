"""What a sink holds is what the newest snapshot says, however it got there."""

import random
import signal
import subprocess
import sys
import time
from datetime import date, datetime
from decimal import Decimal

import pyarrow.parquet as pq
import pytest
from book_lines import LINE, SCHEMA, nights, wide

import rowen
from rowen.errors import OutputError, StoreError, UsageError


def test_values_have_the_types_of_the_database(tmp_path, database):
    store = rowen.Store(tmp_path / "store")
    store.run([wide()], {"p": LINE, "q": "title=\\ {},\n"})
    (done,) = rowen.sync(store, database.target)
    assert (done.written, done.deleted, done.previous) == (2, 0, None)
    rows = {row["title"]: row for row in database.table("books")}
    row = rows['Émma "q"']
    assert set(rows) == {'Émma "q"', "\\ {},"}
    assert row["page"] == "p"
    assert float(row["price_amount"]) == 4.5
    assert row["price_currency"] == "GBP"
    assert (row["stars"], row["pages"]) == (3.5, 12)
    if database.kind == "sqlite":
        assert (row["printed"], row["at"]) == ("2020-05-01", "2020-05-01T10:00:00")
        assert row["tags"] == '["a;b", "c"]'
    else:
        assert (row["printed"], row["at"]) == (date(2020, 5, 1), datetime(2020, 5, 1, 10))  # noqa: DTZ001
        assert isinstance(row["price_amount"], Decimal)
        assert row["tags"] == ["a;b", "c"]
    reviews = database.table("books_reviews")
    assert [(own["author"], own["votes"], own["number"]) for own in reviews] == [
        ("Ann", 3, 1),
        ("Bob", 41, 2),
    ]
    assert {own["parent_id"] for own in reviews} == {row["record_id"]}


@pytest.mark.parametrize("keyed", [True, False])
def test_nights_one_by_one_equal_a_rebuild(tmp_path, another, keyed):
    schema = SCHEMA if keyed else {**SCHEMA, "title": "text"}
    for seed in range(2):
        store = rowen.Store(tmp_path / f"store{seed}")
        step_by_step, sometimes = another(), another()
        for night, pages in enumerate(nights(seed, 5)):
            store.run([wide(schema=schema)], pages, allow_shrink=1, jobs=1)
            rowen.sync(store, step_by_step.target)
            if night == 3:
                store.drop(keep=1)  # what the other sink holds is not known any more
            if night in {1, 2, 4}:
                rowen.sync(store, sometimes.target)
        afresh = another()
        rowen.sync(store, afresh.target)
        for table in ("books", "books_reviews"):
            expected = afresh.table(table)
            assert step_by_step.table(table) == expected
            assert sometimes.table(table) == expected
        assert len(afresh.table("books")) == store.records("books").num_rows


def test_a_field_that_is_new_becomes_a_column(tmp_path, database):
    store = rowen.Store(tmp_path / "store")
    old = {"title": {"key": True}, "stars": "number"}
    store.run([wide(schema=old, fields=("title", "stars"))], {"p": "title=A|stars=1"})
    rowen.sync(store, database.target)
    new = {**old, "pages": "integer", "reviews": SCHEMA["reviews"]}
    line = "title=A|stars=1|pages=7|reviews=Ann 3"
    store.run([wide(schema=new, fields=tuple(new), version="2")], {"p": line})
    (done,) = rowen.sync(store, database.target)
    assert done.written == 1
    (row,) = database.table("books")
    assert (row["title"], row["stars"], row["pages"]) == ("A", 1, 7)
    assert [own["author"] for own in database.table("books_reviews")] == ["Ann"]


def test_another_schema_alone_changes_the_rows(tmp_path, database):
    store = rowen.Store(tmp_path / "store")
    schema = {"title": "text", "reviews": SCHEMA["reviews"]}
    pages = {"p": "title=A &amp; B|pages=1|<p>"}
    fields = ("title",)
    store.run([wide(schema={**schema, "title": "source"}, fields=fields)], pages)
    rowen.sync(store, database.target)
    assert [row["title"] for row in database.table("books")] == ["A &amp; B"]
    store.run([wide(schema=schema, fields=fields)], pages)
    rowen.sync(store, database.target)
    assert [row["title"] for row in database.table("books")] == ["A & B"]
    store.run([wide(schema={**schema, "stars": "integer"}, fields=fields)], pages)
    rowen.sync(store, database.target)
    store.run([wide(schema={**schema, "stars": "text"}, fields=fields)], pages)
    with pytest.raises(OutputError, match="holds integer, and the schema says string now.*rebuild"):
        rowen.sync(store, database.target)
    assert [row["title"] for row in database.table("books")] == ["A & B"]
    rowen.sync(store, database.target, rebuild=True)
    assert [row["pages"] for row in database.table("books")] == ["1"]


def test_fields_that_nothing_declares_are_columns_of_text(tmp_path, database, another):
    @rowen.extractor(name="loose", version="1", locality=rowen.WholePage())
    def loose(text):
        yield {name: (0, number + 1) for number, name in enumerate(text.split())}

    store = rowen.Store(tmp_path / "store")
    store.run([loose], {"p": "a b"})
    rowen.sync(store, database.target)
    store.run([loose], {"p": "a b", "q": 'A? "a:b c%s page'})
    rowen.sync(store, database.target)
    rows = {row["page"]: row for row in database.table("loose")}
    assert rows["p"]["a"] == "a"
    assert set(rows["q"]) >= {"a", "A?", '"a:b', "c%s", "page_2"}
    afresh = another()
    rowen.sync(store, afresh.target)
    assert afresh.table("loose") == database.table("loose")


@pytest.mark.parametrize(
    "name", ["sqlite_x", "select", 'a"b', "x" * 90, "Ü ? % :a", "rowen_sync", "a;--"]
)
def test_any_name_of_an_extractor_has_a_table(tmp_path, database, name):
    store = rowen.Store(tmp_path / "store")
    store.run([wide(name=name, schema=None, fields=("title",))], {"p": "title=A\x00\ud800"})
    for _ in range(2):
        rowen.sync(store, database.target)
    store.run([wide(name=name, schema=None, fields=("title",))], {"p": "title=B"})
    (done,) = rowen.sync(store, database.target)
    assert (done.written, done.deleted) == (1, 1)


def test_a_table_of_others_is_not_touched(tmp_path, database):
    database.run("CREATE TABLE books (mine TEXT)")
    store = rowen.Store(tmp_path / "store")
    store.run([wide()], {"p": LINE})
    with pytest.raises(OutputError, match="has a table 'books' that `rowen sync` did not make"):
        rowen.sync(store, database.target)
    rowen.sync(store, database.target, prefix="rowen_")
    assert len(database.table("rowen_books")) == 1


def test_records_of_another_store_are_not_mixed(tmp_path, database):
    for name in ("one", "two"):
        store = rowen.Store(tmp_path / name)
        store.run([wide()], {"p": f"title={name}"})
    rowen.sync(tmp_path / "one", database.target)
    with pytest.raises(StoreError, match="from snapshot 0 of another store"):
        rowen.sync(tmp_path / "two", database.target)
    assert [row["title"] for row in database.table("books")] == ["one"]
    rowen.sync(tmp_path / "two", database.target, rebuild=True)
    assert [row["title"] for row in database.table("books")] == ["two"]


def test_an_extractor_that_did_not_run_keeps_its_rows(tmp_path, database):
    store = rowen.Store(tmp_path / "store")
    store.run([wide(), wide("others")], {"p": "title=A"})
    store.run([wide()], {"p": "title=B"})
    done = rowen.sync(store, database.target)
    assert [(own.extractor, own.snapshot) for own in done] == [("books", 1), ("others", 0)]
    assert [row["title"] for row in database.table("others")] == ["A"]


WRITER = """
import sys, rowen
rowen.sync(sys.argv[1], sys.argv[2])
"""


def test_killed_at_any_moment_the_next_one_goes_on(tmp_path, database, another):
    rng = random.Random(3)
    store = rowen.Store(tmp_path / "store")
    pages = {f"p{n}": "\n".join(f"title=t{n}.{k}|stars={k}" for k in range(40)) for n in range(60)}
    for _ in range(3):
        for page in rng.sample(sorted(pages), 30):
            pages[page] += f"\ntitle=new{rng.random()}|stars=5|reviews=Ann 1"
        store.run([wide()], pages, jobs=1)
        process = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(store.place.uri), database.target]
        )
        time.sleep(rng.uniform(0.3, 1.2))
        process.send_signal(signal.SIGKILL)
        process.wait()
    rowen.sync(store, database.target)
    afresh = another()
    rowen.sync(store, afresh.target)
    for table in ("books", "books_reviews"):
        assert database.table(table) == afresh.table(table)


def test_an_error_in_the_middle_leaves_the_old_rows(tmp_path, database):
    store = rowen.Store(tmp_path / "store")
    store.run([wide()], {"p": "title=A"})
    rowen.sync(store, database.target)
    store.run([wide()], {"p": "title=B", "q": "title=C"})

    def interrupted(*_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        rowen.sync(store, database.target, progress=interrupted)
    assert [row["title"] for row in database.table("books")] == ["A"]
    rowen.sync(store, database.target)
    assert [row["title"] for row in database.table("books")] == ["B", "C"]


def test_parquet_files_hold_the_newest_records(tmp_path):
    store = rowen.Store(tmp_path / "store")
    target = f"parquet:{tmp_path / 'files'}"
    for seed, pages in enumerate(nights(5, 4)):
        store.run([wide(), wide("a/b")], pages, allow_shrink=1, jobs=1)
        rowen.sync(store, target)
        written = pq.read_table(tmp_path / "files" / "books.parquet")
        expected = [
            {"snapshot": seed, "extractor": "books", "key": row["title"], **row}
            for row in store.records("books").to_pylist()
        ]
        assert written.to_pylist() == expected
        assert written.column_names[:4] == ["snapshot", "extractor", "page", "key"]
    file = tmp_path / "files" / "a_b.parquet"
    before = file.stat().st_mtime_ns
    assert [done.written for done in rowen.sync(store, target)] == [0, 0]
    assert file.stat().st_mtime_ns == before
    file.unlink()
    rowen.sync(store, target)
    assert file.exists()


def test_parquet_leaves_files_of_others_alone(tmp_path):
    store = rowen.Store(tmp_path / "store")
    store.run([wide()], {"p": LINE})
    (tmp_path / "books.parquet").write_bytes(b"mine")
    with pytest.raises(OutputError, match="not made by `rowen sync`"):
        rowen.sync(store, f"parquet:{tmp_path}")
    assert (tmp_path / "books.parquet").read_bytes() == b"mine"
    (tmp_path / "rowen-sync.json").write_text('{"books.parquet": 3}')
    with pytest.raises(OutputError, match="is damaged"):
        rowen.sync(store, f"parquet:{tmp_path}")


@pytest.mark.parametrize(
    ("target", "error", "message"),
    [
        ("mysql://x", UsageError, "unknown target"),
        ("sqlite:", UsageError, "unknown target"),
        ("books.db", UsageError, "unknown target"),
        ("sqlite:{folder}/none/x.sqlite", OutputError, "its folder does not exist"),
        ("sqlite:{folder}/text", OutputError, "not a database"),
        ("duckdb:{folder}/text", OutputError, "can't write"),
        ("duckdb:{folder}", OutputError, "can't write"),
        ("parquet:{folder}/text", OutputError, "can't write"),
        ("postgresql://me:secret@127.0.0.1:1/x", OutputError, "no connection"),
        ("postgresql://me@h/x?colour=red", UsageError, "unknown setting 'colour'"),
        ("postgresql://me@h:port/x", UsageError, "is wrong"),
        ("postgresql:x", UsageError, "is named like"),
    ],
)
def test_a_target_that_can_not_be_used_is_one_clear_error(tmp_path, target, error, message):
    store = rowen.Store(tmp_path / "store")
    store.run([wide()], {"p": LINE})
    (tmp_path / "text").write_text("This is a text, and no database at all. " * 300)
    with pytest.raises(error, match=message) as raised:
        rowen.sync(store, target.format(folder=tmp_path))
    assert "secret" not in str(raised.value)


def test_a_store_without_snapshots_or_the_extractor_is_refused(tmp_path):
    store = rowen.Store(tmp_path / "store")
    with pytest.raises(StoreError, match="no snapshots yet"):
        rowen.sync(store, f"sqlite:{tmp_path / 'x'}")
    store.run([wide()], {"p": LINE})
    with pytest.raises(StoreError, match="no records of 'talks'"):
        rowen.sync(store, f"sqlite:{tmp_path / 'x'}", extractors=["talks"])
