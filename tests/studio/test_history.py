"""What was done is kept: over undoing, restarts, torn lines and full disks."""

import errno
import json
import os
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rowen.model.errors import InputError, OutputError, StoreError, UsageError
from rowen.studio.actions import Choose, Fields, Splice, read_action
from rowen.studio.history import History
from rowen.studio.project import ConflictError, Project

TEXT = "<li>one 1</li><li>two 2</li><li>tri 3</li>"
WORDS = [[4, 7], [18, 21], [32, 35]]


@pytest.fixture
def project(tmp_path):
    project = Project(tmp_path / "project")
    project.add_page("a.html", TEXT.encode())
    yield project
    project.close()


def act(project, action):
    project.do(read_action(action), revision=project.revision)


records = st.lists(
    st.fixed_dictionaries(
        {}, optional={"word": st.sampled_from([*WORDS, None]), "sign": st.none()}
    ),
    max_size=3,
)
splices = st.builds(
    lambda start, length, records, complete: {
        "do": "splice",
        "page": "a.html",
        "start": start,
        "end": start + length,
        "records": records,
        "complete": complete,
    },
    st.integers(0, 3),
    st.integers(0, 2),
    records,
    st.booleans(),
)
fields = st.builds(
    lambda names, renamed: {"do": "fields", "fields": names, "renamed": renamed},
    st.lists(st.sampled_from(["word", "sign", "other"]), max_size=4),
    st.dictionaries(
        st.sampled_from(["word", "sign"]), st.sampled_from(["word", "other"]), max_size=2
    ),
)
steps = st.lists(
    splices
    | fields
    | st.sampled_from(["undo", "redo", "restart"])
    | st.builds(lambda name: {"do": "class", "class": name}, st.sampled_from(["lr", "auto", "?"]))
    | st.sampled_from([{"do": "remove page", "page": "a.html"}, {"do": "add page", "page": "b"}]),
    max_size=25,
)


class Slow:
    """States in a list, each written as JSON."""

    def __init__(self, state):
        self.states = [state]
        self.at = 0

    def did(self, state):
        self.states[self.at + 1 :] = [state]
        self.at += 1

    @property
    def now(self):
        return self.states[self.at]


def written(project):
    state = project.state
    labels = {page: [*label.records, label.complete] for page, label in state.labels.items()}
    return json.dumps([state.fields, state.wrapper_class, state.pages, labels])


@settings(max_examples=60)
@given(steps)
def test_any_actions_undone_redone_and_restarted_give_the_states_of_a_slow_list(steps):
    with TemporaryDirectory() as folder:
        project = Project(Path(folder) / "p")
        project.add_page("a.html", TEXT.encode())
        slow = Slow(written(project))
        act(project, {"do": "fields", "fields": ["word", "sign"]})
        slow.did(written(project))
        undoable = 2  # a page, fields
        for step in steps:
            revision, before = project.revision, written(project)
            try:
                if step == "undo":
                    project.undo(revision=revision)
                    undoable -= 1
                    slow.at -= 1
                elif step == "redo":
                    project.redo(revision=revision)
                    undoable += 1
                    slow.at += 1
                elif step == "restart":
                    project.close()
                    project = Project(Path(folder) / "p")
                else:
                    act(project, step)
                    undoable += 1
                    slow.did(written(project))
            except (UsageError, InputError):
                assert (project.revision, written(project)) == (revision, before)
            if slow.at < 0:  # the page itself was taken back
                break
            assert written(project) == slow.now
            assert (project.undoable is None) == (undoable == 0)
        project.close()


def test_a_last_line_that_was_cut_off_is_forgotten(project):
    act(project, {"do": "fields", "fields": ["word"]})
    act(project, {"do": "fields", "fields": ["word", "sign"]})
    project.close()
    path = project.folder / "history.jsonl"
    whole = path.read_bytes()
    for cut in (1, 5, 20):
        path.write_bytes(whole[:-cut])
        history = History(path)
        assert history.state.fields == ("word",)
        history.do(Choose(**{"class": "lr"}), lambda _: None)
        reopened = History(path)
        assert (reopened.state.wrapper_class, reopened.revision) == ("lr", 3)


@pytest.mark.parametrize("line", [b"no json\n", b"[]\n", b'{"do":"undo"}\n' * 9, b'{"do":"fly"}\n'])
def test_a_damaged_history_is_refused_not_guessed_at(project, line):
    project.close()
    path = project.folder / "history.jsonl"
    path.write_bytes(path.read_bytes() + line)
    with pytest.raises(StoreError, match="is damaged at line"):
        Project(project.folder)


def test_on_a_full_disk_nothing_changes(project, monkeypatch):
    act(project, {"do": "fields", "fields": ["word"]})
    before = (project.folder / "history.jsonl").read_bytes()
    state, revision = project.state, project.revision

    def full(_descriptor):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(OutputError, match="No space left on device"):
            act(project, {"do": "fields", "fields": ["word", "sign"]})
    assert (project.state, project.revision) == (state, revision)
    assert (project.folder / "history.jsonl").read_bytes() == before
    act(project, {"do": "fields", "fields": ["word", "sign"]})
    assert project.state.fields == ("word", "sign")


def test_who_has_seen_an_older_state_changes_nothing(project):
    revision = project.revision
    act(project, {"do": "fields", "fields": ["word"]})
    for late in (project.undo, project.redo):
        with pytest.raises(ConflictError):
            late(revision=revision)
    with pytest.raises(ConflictError):
        project.do(Fields(fields=[]), revision=revision)
    assert project.state.fields == ("word",)


@pytest.mark.parametrize(
    "action",
    [
        None,
        [],
        {"do": "fly"},
        {"do": "fields", "fields": ["children"]},
        {"do": "fields", "fields": [" "]},
        {"do": "fields", "fields": ["a\nb"]},
        {"do": "fields", "fields": ["x" * 101]},
        {"do": "fields", "fields": ["a", "a"]},
        {"do": "fields", "fields": ["a"] * 1000},
        {"do": "fields", "fields": ["b"], "renamed": {"a": "b"}},
        {"do": "class", "class": "__class__"},
        {"do": "remove page", "page": "../history.jsonl"},
        {"do": "add page", "page": "a.html"},
        {"do": "splice", "page": "a.html", "start": 0, "end": 9, "records": [], "complete": False},
        {"do": "splice", "page": "a.html", "start": -1, "end": 0, "records": [], "complete": True},
        {"do": "splice", "page": "a.html", "start": 0, "end": 0, "records": "x", "complete": True},
        {
            "do": "splice",
            "page": "a.html",
            "start": 0,
            "end": 0,
            "records": [],
            "complete": True,
            "x": 1,
        },
    ],
)
def test_what_is_no_action_is_refused(project, action):
    before = project.state
    with pytest.raises(UsageError):
        act(project, action)
    assert project.state is before


@pytest.mark.parametrize(
    "value", [[0, 10**6], [-3, 2], [7, 4], ["4", "7"], [4.5, 7], [[4, 7], [5, 8]], {}, 3, True]
)
def test_marks_that_stand_nowhere_are_refused(project, value):
    act(project, {"do": "fields", "fields": ["word"]})
    splice = Splice(page="a.html", start=0, end=0, records=[{"word": value}], complete=False)
    with pytest.raises(Exception, match="word|record") as raised:
        project.do(splice, revision=project.revision)
    assert raised.value.http_status < 500
    assert not project.state.labels


def test_the_command_line_reads_what_is_marked(project):
    act(project, {"do": "fields", "fields": ["word"]})
    records = [{"word": span} for span in WORDS]
    splice = {"do": "splice", "page": "a.html", "start": 0, "end": 0, "complete": True}
    act(project, {**splice, "records": records})
    (line,) = (project.folder / "labels.jsonl").read_text().splitlines()
    assert json.loads(line) == {"page": "a.html", "records": records}
