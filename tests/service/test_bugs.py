"""An internal error: an answer without a traceback, and a log without words of the document."""

import asyncio
import json
import logging

import httpx
import pytest

from rowen.service.app import create_app
from rowen.service.settings import Settings
from rowen.service.state import Service


@pytest.fixture
def service(tmp_path):
    opened = Service(Settings(data=tmp_path / "data", workers=1))
    yield opened
    opened.close()


def test_a_bug_is_a_problem_and_a_line_in_the_log(service, caplog):
    app = create_app(service)

    @app.get("/a/bug/here")
    async def bug():
        raise ZeroDivisionError("a secret of the document")

    async def ask():
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://a") as client:
            return await client.get("/a/bug/here", headers={"x-request-id": "r1"})

    with caplog.at_level(logging.ERROR, "rowen.service"):
        answer = asyncio.run(ask())
    assert answer.status_code == 500
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["detail"] == "internal error; see r1 in the log"
    [line] = caplog.records
    assert line.fields["error"] == "ZeroDivisionError"
    assert "test_bugs.py" in line.fields["where"][-1]
    assert "a secret" not in json.dumps({**line.fields, "where": ""})
