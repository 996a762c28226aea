"""What an Iceberg table holds is what the newest snapshot says, however it got there."""

import subprocess
import sys
from datetime import date, datetime
from decimal import Decimal

import pytest
from book_lines import LINE, SCHEMA, nights, wide
from pyiceberg.catalog.sql import SqlCatalog

import rowen
from rowen.errors import OutputError, StoreError, UsageError


def iceberg_table(folder, table="books", namespace="rowen", name="rowen"):
    catalog = SqlCatalog(name, uri=f"sqlite:///{folder}/catalog.sqlite")
    loaded = catalog.load_table((namespace, table))
    catalog.close()
    return loaded


def rows(folder, table="books", namespace="rowen", name="rowen"):
    """All rows, in the order of their ids; columns that are empty do not count."""
    found = iceberg_table(folder, table, namespace, name).scan().to_arrow().to_pylist()
    used = {column for row in found for column, cell in row.items() if cell is not None}
    shown = [{column: row[column] for column in sorted(used)} for row in found]
    return sorted(shown, key=lambda row: row["record_id"])


def test_values_have_the_types_of_the_table(tmp_path):
    store = rowen.Store(tmp_path / "store")
    store.run([wide()], {"p": LINE, "q": "title=\\ {},\n"})
    (done,) = rowen.sync(store, f"iceberg:{tmp_path / 'a lake'}")
    assert (done.written, done.deleted, done.previous) == (2, 0, None)
    found = {row["title"]: row for row in rows(tmp_path / "a lake")}
    row = found['Émma "q"']
    assert set(found) == {'Émma "q"', "\\ {},"}
    assert row["page"] == "p"
    assert (row["price_amount"], row["price_currency"]) == (Decimal("4.5"), "GBP")
    assert (row["stars"], row["pages"], row["sold"]) == (3.5, 12, True)
    assert (row["printed"], row["at"]) == (date(2020, 5, 1), datetime(2020, 5, 1, 10))  # noqa: DTZ001
    assert row["tags"] == ["a;b", "c"]
    assert row["reviews"] == [{"author": "Ann", "votes": 3}, {"author": "Bob", "votes": 41}]


@pytest.mark.parametrize("keyed", [True, False])
def test_nights_one_by_one_equal_a_rebuild(tmp_path, keyed):
    schema = SCHEMA if keyed else {**SCHEMA, "title": "text"}
    store = rowen.Store(tmp_path / "store")
    lake, seldom, afresh = (tmp_path / name for name in ("lake", "seldom", "afresh"))
    for night, pages in enumerate(nights(keyed, 5)):
        store.run([wide(schema=schema)], pages, allow_shrink=1, jobs=1)
        rowen.sync(store, f"iceberg:{lake}")
        if night == 3:
            store.drop(keep=1)  # what the other table holds is not known any more
        if night in {1, 4}:
            rowen.sync(store, f"iceberg:{seldom}")
    (done,) = rowen.sync(store, f"iceberg:{afresh}")
    assert done.written == store.records("books").num_rows
    assert rows(lake) == rows(seldom) == rows(afresh)
    (done,) = rowen.sync(store, f"iceberg:{lake}")
    assert (done.written, done.deleted, done.previous) == (0, 0, 4)


def test_only_rows_that_differ_are_counted(tmp_path):
    store = rowen.Store(tmp_path / "store")
    store.run([wide()], {"p": "title=A|stars=1\ntitle=B|stars=1", "q": "title=C"})
    rowen.sync(store, f"iceberg:{tmp_path}/lake")
    store.run([wide()], {"p": "title=A|stars=2\ntitle=B|stars=1\ntitle=D"}, allow_shrink=1)
    (done,) = rowen.sync(store, f"iceberg:{tmp_path}/lake")
    assert (done.written, done.deleted) == (2, 1)
    store.run([wide()], {"p": "title=D"})
    store.drop(keep=1)
    (done,) = rowen.sync(store, f"iceberg:{tmp_path}/lake")
    assert (done.written, done.deleted) == (1, 2)
    assert [row["title"] for row in rows(tmp_path / "lake")] == ["D"]


KILLED = """
import os, signal, sys
import rowen
from pyiceberg.table import Transaction

usual = getattr(Transaction, sys.argv[3])

def killed_after(*args, **options):
    usual(*args, **options)
    os.kill(os.getpid(), signal.SIGKILL)

setattr(Transaction, sys.argv[3], killed_after)
rowen.sync(sys.argv[1], sys.argv[2])
"""


def test_killed_in_the_middle_the_table_has_one_snapshot_or_the_other(tmp_path):
    store = rowen.Store(tmp_path / "store")
    lake = tmp_path / "lake"
    pages = {f"p{page}": f"title=t{page}|stars=0" for page in range(9)}
    killed = [("append", None), ("delete", 0), ("commit_transaction", 2)]
    for night, (method, previous) in enumerate(killed):
        pages = {**pages, f"p{night}": f"title=t{night}|stars={night}", f"new{night}": "title=n"}
        del pages[f"p{8 - night}"]
        store.run([wide()], pages)
        called = [sys.executable, "-c", KILLED, str(store.place.uri), f"iceberg:{lake}"]
        assert subprocess.run([*called, method], check=False).returncode == -9
        (done,) = rowen.sync(store, f"iceberg:{lake}")
        assert done.previous == previous
        rowen.sync(store, f"iceberg:{tmp_path}/afresh{night}")
        assert rows(lake) == rows(tmp_path / f"afresh{night}")
    summary = iceberg_table(lake).current_snapshot().summary
    assert summary.additional_properties["rowen.snapshot"] == "2"


def test_a_field_that_is_new_becomes_a_column_also_inside_of_records(tmp_path):
    store = rowen.Store(tmp_path / "store")
    target = f"iceberg:{tmp_path}/lake"
    old = {"title": {"key": True}, "reviews": {"fields": {"author": {}}}}

    def run(schema, version):
        line = "title=A|reviews=Ann 3" + ("|pages=7" if "pages" in schema else "")
        extractor = wide(schema=schema, fields=tuple(schema), version=version)
        store.run([extractor], {"p": line, "q": "title=B"})
        return rowen.sync(store, target)[0]

    run(old, "1")
    run({**old, "pages": "integer", "reviews": SCHEMA["reviews"]}, "2")
    found = {row["title"]: row for row in rows(tmp_path / "lake")}
    assert found["A"]["pages"] == 7
    assert found["A"]["reviews"] == [{"author": "Ann", "votes": 3}]
    assert iceberg_table(tmp_path / "lake").properties.get("commit.retry.num-retries") is None
    with pytest.raises(OutputError, match="holds integer, and the schema says string now.*rebuild"):
        run({**old, "pages": "text"}, "3")
    assert {row["title"]: row for row in rows(tmp_path / "lake")} == found
    commits = len(iceberg_table(tmp_path / "lake").metadata.metadata_log)
    rowen.sync(store, target, rebuild=True)
    found = {row["title"]: row for row in rows(tmp_path / "lake")}
    assert found["A"]["pages"] == "7"
    assert len(iceberg_table(tmp_path / "lake").metadata.metadata_log) == commits + 1


def test_fields_that_nothing_declares_are_columns_of_text(tmp_path):
    @rowen.extractor(name="a.b/../c", version="1", locality=rowen.WholePage())
    def loose(text):
        yield {name: (0, number + 1) for number, name in enumerate(text.split())}

    store = rowen.Store(tmp_path / "store")
    store.run([loose], {"p": "a b"})
    rowen.sync(store, f"iceberg:{tmp_path}/lake")
    store.run([loose], {"p": "a b", "q": 'A? "a:b c.s page a A record_id'})
    for lake in ("lake", "afresh"):
        rowen.sync(store, f"iceberg:{tmp_path / lake}")
    found = {row["page"]: row for row in rows(tmp_path / "lake", "a_b____c")}
    assert found["p"]["a"] == "a"
    assert set(found["q"]) >= {"a", "A?", '"a:b', "c_s", "page_2", "A_2", "record_id_2"}
    assert rows(tmp_path / "lake", "a_b____c") == rows(tmp_path / "afresh", "a_b____c")


def test_tables_of_others_are_left_alone(tmp_path):
    store = rowen.Store(tmp_path / "store")
    store.run([wide()], {"p": LINE})
    target = f"iceberg:{tmp_path}/lake"
    rowen.sync(store, target, prefix="my_")
    other = rowen.Store(tmp_path / "other")
    other.run([wide("my_books")], {"p": LINE})
    with pytest.raises(OutputError, match="holds the records of 'books': choose another --prefix"):
        rowen.sync(other, target)
    another = rowen.Store(tmp_path / "another")
    another.run([wide()], {"p": "title=Z"})
    with pytest.raises(StoreError, match="from snapshot 0 of another store"):
        rowen.sync(another, target, prefix="my_")
    rowen.sync(another, target, prefix="my_", rebuild=True)
    assert [row["title"] for row in rows(tmp_path / "lake", "my_books")] == ["Z"]
    catalog = SqlCatalog("rowen", uri=f"sqlite:///{tmp_path}/lake/catalog.sqlite")
    schema = iceberg_table(tmp_path / "lake", "my_books").schema()
    catalog.create_table(("rowen", "books"), schema, location=f"{tmp_path}/mine")
    catalog.close()
    with pytest.raises(OutputError, match=r"'rowen.books' that `rowen sync` did not make"):
        rowen.sync(store, target)


def test_commits_of_other_programs_are_seen(tmp_path):
    store = rowen.Store(tmp_path / "store")
    lake = tmp_path / "lake"
    store.run([wide()], {"p": "title=A"})
    rowen.sync(store, f"iceberg:{lake}")
    table = iceberg_table(lake)
    table.append(table.scan().to_arrow()[:0])  # as a compaction does, it says nothing of ours
    (done,) = rowen.sync(store, f"iceberg:{lake}")
    assert (done.previous, done.written) == (0, 0)
    store.run([wide()], {"p": "title=B"})

    def meanwhile(*_):
        table = iceberg_table(lake)
        table.append(table.scan().to_arrow()[:0])

    with pytest.raises(OutputError, match=r"changed rowen\.books .*meanwhile: sync again"):
        rowen.sync(store, f"iceberg:{lake}", progress=meanwhile)
    rowen.sync(store, f"iceberg:{lake}")
    assert [row["title"] for row in rows(lake)] == ["B"]


def test_a_catalog_of_the_configuration_is_used(tmp_path, monkeypatch):
    import pyiceberg.catalog
    from pyiceberg.utils.config import Config

    (tmp_path / "lake").mkdir()
    for name, value in {
        "TYPE": "sql",
        "URI": f"sqlite:///{tmp_path}/lake/catalog.sqlite",
        "WAREHOUSE": f"file://{tmp_path}/lake",
    }.items():
        monkeypatch.setenv(f"PYICEBERG_CATALOG__SHOP__{name}", value)
    monkeypatch.setattr(pyiceberg.catalog, "_ENV_CONFIG", Config())
    store = rowen.Store(tmp_path / "store")
    store.run([wide()], {"p": "title=A"})
    rowen.sync(store, "iceberg://shop/nightly")
    assert [row["title"] for row in rows(tmp_path / "lake", "books", "nightly", "shop")] == ["A"]
    with pytest.raises(UsageError, match="can't open the catalog 'none' of PyIceberg's config"):
        rowen.sync(store, "iceberg://none/nightly")


@pytest.mark.parametrize(
    ("place", "error", "message"),
    [
        ("{folder}/text", OutputError, "can't write"),
        ("{folder}/a?b", UsageError, "can't have"),
        ("//", UsageError, "names no catalog"),
        ("{folder}/broken", OutputError, "can't write"),
    ],
)
def test_a_target_that_can_not_be_used_is_one_clear_error(tmp_path, place, error, message):
    store = rowen.Store(tmp_path / "store")
    store.run([wide()], {"p": LINE})
    (tmp_path / "text").write_text("no folder")
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "catalog.sqlite").write_text("This is no database at all. " * 300)
    with pytest.raises(error, match=message) as raised:
        rowen.sync(store, f"iceberg:{place.format(folder=tmp_path)}")
    assert "\n" not in str(raised.value)


def test_without_the_package_the_error_says_what_to_install(tmp_path, monkeypatch):
    store = rowen.Store(tmp_path / "store")
    store.run([wide()], {"p": LINE})
    monkeypatch.delitem(sys.modules, "rowen.sinks.iceberg", raising=False)
    monkeypatch.setitem(sys.modules, "pyiceberg.catalog", None)
    with pytest.raises(UsageError, match=r"rowen\[iceberg\]"):
        rowen.sync(store, f"iceberg:{tmp_path}/lake")
