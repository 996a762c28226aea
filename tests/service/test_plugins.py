"""Installed plugins as registered extractors: by their names, and by nothing else."""

import pytest

MODULE = """
import socket
from rowen import Pattern, WholePage, extractor

rooms = Pattern("(?P<room>CS [0-9]+)", name="rooms", version="1")

@extractor(name="caller", version="1", locality=WholePage())
def caller(text):
    socket.create_connection(("127.0.0.1", 9))
    return []

class Faulty:
    name, version, locality, fields = "faulty", "1", WholePage(), ()
    def extract(self, page):
        raise ZeroDivisionError("of its own")

faulty = Faulty()
"""


@pytest.fixture
def installed(tmp_path):
    folder = tmp_path / "site"
    info = folder / "shelf-1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: shelf\nVersion: 1\n")
    names = ("rooms", "caller", "faulty")
    lines = "".join(f"shelf-{name} = shelf_of_plugins:{name}\n" for name in names)
    (info / "entry_points.txt").write_text(f"[rowen.extractors]\n{lines}")
    (folder / "shelf_of_plugins.py").write_text(MODULE)
    return folder


def put(server, plugin, name="chosen"):
    return server.put(f"/extractors/{name}", json={"kind": "plugin", "plugin": plugin})


def test_a_plugin_runs_and_its_version_counts(start, installed, tmp_path):
    server = start(tmp_path / "data", env={"PYTHONPATH": str(installed)})
    assert put(server, "shelf-rooms").status_code == 201
    toml = server.put("/extractors/toml", content="kind = 'plugin'\nplugin = 'shelf-rooms'\n")
    assert toml.status_code == 201
    document = server.add(b"in CS 105 now")
    place = f"/{document}/records?extractor=chosen"
    first = server.get(place)
    assert first.json()["records"][0]["values"] == {"room": "CS 105"}
    assert server.get(place).headers["rowen-reuse"] == f"exact; source={document}"
    server.end()
    changed = MODULE.replace('"(?P<room>CS [0-9]+)"', '"(?P<room>[0-9]+)"').replace('"1"', '"2"')
    (installed / "shelf_of_plugins.py").write_text(changed)
    server = start(tmp_path / "data", env={"PYTHONPATH": str(installed)})
    repeated = server.get(place)
    assert repeated.json()["records"][0]["values"] == {"room": "105"}
    assert "rowen-reuse" not in repeated.headers
    server.end()
    (installed / "shelf-1.dist-info" / "entry_points.txt").unlink()
    server = start(tmp_path / "data", env={"PYTHONPATH": str(installed)})
    gone = server.get(place)
    assert gone.status_code == 422
    assert "unknown plugin 'shelf-rooms'" in gone.json()["detail"]


def test_a_plugin_that_fails_or_wants_more_than_reading_is_reported(start, installed):
    server = start(env={"PYTHONPATH": str(installed)})
    document = server.add(b"text")
    assert put(server, "shelf-faulty").status_code == 201
    failed = server.get(f"/{document}/records?extractor=chosen")
    assert failed.status_code == 422
    assert failed.json()["detail"] == "raised ZeroDivisionError: of its own"
    assert put(server, "shelf-caller").status_code == 200
    refused = server.get(f"/{document}/records?extractor=chosen")
    assert refused.status_code == 422
    assert "PermissionError" in refused.json()["detail"]


@pytest.mark.parametrize(
    ("definition", "message"),
    [
        ({"plugin": "nobody"}, "unknown plugin 'nobody'"),
        ({"plugin": "os:system"}, "unknown plugin 'os:system'"),
        ({"plugin": "rowen.extractors.pattern"}, "unknown plugin"),
        ({"plugin": "/etc/passwd.json"}, "unknown plugin"),
        ({"plugin": 7}, "must be the name"),
        ({}, "must be the name"),
        ({"plugin": "a", "pattern": "b"}, "unknown setting 'pattern'"),
    ],
)
def test_what_is_no_installed_plugin_is_refused(server, definition, message):
    answer = server.put("/extractors/refused", json={"kind": "plugin", **definition})
    assert answer.status_code == 422
    assert message in answer.json()["detail"]
