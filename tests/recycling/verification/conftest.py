import pytest

from rowen.recycling import intake


@pytest.fixture(params=["local 1", "local 2"])
def engine(request):
    return {"engine": "local", "jobs": int(request.param[-1])}


@pytest.fixture(autouse=True)
def partitions(monkeypatch):
    monkeypatch.setattr(intake, "_partitions", lambda *_: 3)
