"""What all formats promise."""

import io
import os

import pytest

from rowen.export import FORMATS, open_writer
from rowen.export import spool as spool_module
from rowen.model import OutputError, Page, UsageError
from rowen.records import Record

PAGE = Page("Congo 242", id="p1")
RECORD = Record(PAGE, {"country": (0, 5), "code": (6, 9)})


def names(folder):
    return [one.name for one in folder.iterdir()]


@pytest.fixture(params=FORMATS)
def format_(request):
    return request.param


def test_an_unknown_format_is_a_usage_error_and_touches_nothing(tmp_path):
    with pytest.raises(
        UsageError,
        match="'xls'; the formats are jsonl, json, csv, tsv, xlsx, parquet, arrow, sqlite, html",
    ):
        open_writer("xls", tmp_path / "out")
    assert names(tmp_path) == []


def test_a_file_is_in_place_after_the_writer_is_closed(format_, tmp_path):
    writer = open_writer(format_, tmp_path / "out")
    writer.write([RECORD], page=PAGE, extractor="codes")
    assert not (tmp_path / "out").exists()
    writer.close()
    writer.close()
    assert (tmp_path / "out").stat().st_size > 0
    assert names(tmp_path) == ["out"]


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt])
def test_an_exception_midway_leaves_the_old_file_and_nothing_else(format_, tmp_path, error):
    (tmp_path / "out").write_bytes(b"old")

    def interrupted():
        yield RECORD
        raise error

    def attempt():
        with open_writer(format_, tmp_path / "out") as writer:
            writer.write([RECORD] * 1000, page=PAGE, extractor="codes")
            writer.write(interrupted(), page=PAGE, extractor="codes")

    with pytest.raises(error):
        attempt()
    assert (tmp_path / "out").read_bytes() == b"old"
    assert names(tmp_path) == ["out"]


def test_an_end_that_fails_leaves_the_old_file_and_nothing_else(format_, tmp_path, monkeypatch):
    (tmp_path / "out").write_bytes(b"old")
    writer = open_writer(format_, tmp_path / "out")
    writer.write([RECORD], page=PAGE, extractor="codes")

    def fail():
        raise OutputError("the disk is gone")

    monkeypatch.setattr(writer, "_finish", fail)
    with pytest.raises(OutputError):
        writer.close()
    assert (tmp_path / "out").read_bytes() == b"old"
    assert names(tmp_path) == ["out"]


def test_a_full_device_is_an_output_error(format_):
    def attempt():
        with open_writer(format_, "/dev/full") as writer:
            writer.write([RECORD] * 5000, page=PAGE, extractor="codes")

    with pytest.raises(OutputError, match="/dev/full: no space left"):
        attempt()


def test_a_closed_pipe_is_left_to_the_caller(format_):
    reading, writing = os.pipe()
    os.close(reading)

    def attempt():
        with open_writer(format_, f"/dev/fd/{writing}") as writer:
            writer.write([RECORD] * 5000, page=PAGE, extractor="codes")

    with pytest.raises(BrokenPipeError):
        attempt()
    os.close(writing)


@pytest.mark.parametrize("format_", ["csv", "parquet", "arrow", "html"])
def test_what_waits_may_go_to_disk(format_, monkeypatch):
    def written():
        output = io.BytesIO()
        with open_writer(format_, output) as writer:
            for number in range(50):
                page = Page(PAGE.text, id=f"p{number}")
                writer.write([Record(page, RECORD.spans)] * 20, page=page, extractor="codes")
        return output.getvalue()

    monkeypatch.setattr("rowen.export.html.datetime", _Clock)
    in_memory = written()
    monkeypatch.setattr(spool_module, "SPOOL_BYTES", 100)
    assert written() == in_memory


class _Clock:
    @classmethod
    def now(cls, zone):
        from datetime import datetime

        return datetime(2026, 1, 1, tzinfo=zone)


@pytest.mark.parametrize("format_", ["jsonl", "json", "csv"])
def test_records_are_written_as_they_come(format_):
    """A stream without end would otherwise fill the memory, and nobody could watch it."""
    output = io.BytesIO()
    sizes = []

    def endless():
        for _ in range(3000):
            sizes.append(output.tell())
            yield RECORD

    with open_writer(format_, output, fields=["country", "code"]) as writer:
        writer.write(endless(), page=PAGE, extractor="codes")
    assert sizes[-1] > 0.8 * output.tell()
