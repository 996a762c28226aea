"""Work that a client does not wait for: `Prefer: respond-async`."""

import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from xml.etree import ElementTree as ET

import pytest

from rowen.service.jobs import patience

LATER = {"Prefer": "respond-async"}
RULES = "kind = 'pattern'\npattern = '(?P<word>word)'"
NOBODY = "0" * 32


def is_problem(answer, status):
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    return True


def outcome(server, job):
    """What a job comes to; tells its states on the way."""
    states = []
    while True:
        answer = server.get(job, params={"output": "json"})
        assert answer.status_code == 200, answer.text
        description = answer.json()
        states.append(description["state"])
        if description["state"] in {"done", "failed"}:
            assert "retry-after" not in answer.headers
            return description, states
        assert answer.headers["retry-after"] == "1"
        time.sleep(0.02)


def test_a_job_leads_to_the_result(start, long_paper):
    server = start()
    document = server.add(long_paper)
    answer = server.get(f"/{document}/citations", params={"output": "csl"}, headers=LATER)
    assert answer.status_code == 202
    assert answer.headers["preference-applied"] == "respond-async"
    job = answer.headers["location"]
    assert job == f"/jobs/{document}.citations.csl.near"
    assert answer.json()["uri"] == f"{server.url}{job}"
    assert answer.json()["state"] in {"queued", "running"}
    repeated = server.get(f"/{document}/citations", params={"output": "csl"}, headers=LATER)
    assert (repeated.status_code, repeated.headers["location"]) == (202, job)
    state, states = outcome(server, job)
    assert "running" in states
    assert states == sorted(states, key=["queued", "running", "done"].index)
    result = server.get(state["result"])
    assert result.status_code == 200
    assert result.headers["content-type"] == "application/vnd.citationstyles.csl+json"
    assert result.headers["rowen-reuse"] == f"exact; source={document}"
    stored = server.get(f"/{document}/citations", params={"output": "csl"}, headers=LATER)
    assert (stored.status_code, stored.content) == (200, result.content)
    server.delete(f"/{document}")
    assert is_problem(server.get(job), 404)


def test_the_state_is_xml_unless_json_is_asked_for(server, paper):
    document = server.add(paper)
    server.get(f"/{document}/header")
    state = ET.fromstring(server.get(f"/jobs/{document}.header.tei.near").content)
    assert state.tag == "job"
    assert state.findtext("state") == "done"
    assert state.findtext("result") == f"{server.url}/{document}/header?output=tei"
    accept = {"Accept": "application/json"}
    assert server.get(f"/jobs/{document}.header.tei.near", headers=accept).json()["state"] == "done"


def test_records_as_a_job(server, long_paper):
    server.put("/extractors/some.words", content=RULES)
    document = server.add(long_paper)
    query = {"extractor": "some.words", "output": "jsonl"}
    answer = server.get(f"/{document}/records", params=query, headers=LATER)
    assert answer.status_code == 202
    state, _ = outcome(server, answer.headers["location"])
    assert server.get(state["result"]).text.startswith("{")
    server.delete("/extractors/some.words")
    assert is_problem(server.get(answer.headers["location"]), 404)


def test_a_job_that_fails_gives_the_problem(server):
    broken = server.add(b"%PDF-1.7\n" + b"1 0 obj\n" * 100)
    answer = server.get(f"/{broken}/header", headers=LATER)
    if answer.status_code == 202:
        job = answer.headers["location"]
    else:  # it was quick
        assert is_problem(answer, 422)
        job = f"/jobs/{broken}.header.xml.near"
    state, _ = outcome(server, job)
    assert state["state"] == "failed"
    assert state["problem"]["status"] == 422
    assert "broken or cut off" in state["problem"]["detail"]
    shown = ET.fromstring(server.get(job).content)
    assert shown.findtext("problem/status") == "422"


def test_a_job_whose_process_dies_fails_and_can_be_begun_again(start, long_paper):
    server = start()
    document = server.add(long_paper)
    job = server.get(f"/{document}/text", headers=LATER).headers["location"]
    with ThreadPoolExecutor(1) as threads:
        ended = threads.submit(outcome, server, job)
        while not ended.done():
            for worker in server.workers():
                with suppress(ProcessLookupError):
                    os.kill(worker, signal.SIGKILL)
            time.sleep(0.01)
    state, _ = ended.result()
    assert state["state"] == "failed"
    assert "crashed the process" in state["problem"]["detail"]
    assert server.get(job, params={"output": "json"}).json() == state  # asking is no new attempt
    assert server.get(f"/{document}/text", headers=LATER).status_code == 202
    assert outcome(server, job)[0]["state"] == "done"


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM])
def test_a_job_goes_on_after_a_restart(start, tmp_path, long_paper, end):
    server = start(tmp_path / "data")
    document = server.add(long_paper)
    job = server.get(f"/{document}/body", headers=LATER).headers["location"]
    server.process.send_signal(end)
    server.end()
    server = start(tmp_path / "data")
    state, _ = outcome(server, job)
    assert state["state"] == "done"
    assert server.get(state["result"]).status_code == 200


def test_where_too_many_wait_a_job_is_turned_away(start, very_long_paper):
    server = start(waiting=0)
    long, short = server.add(very_long_paper), server.add(b"text")
    job = server.get(f"/{long}/text", headers=LATER).headers["location"]
    answer = server.get(f"/{short}/text", headers=LATER)
    assert is_problem(answer, 503)
    assert answer.headers["retry-after"] == "5"
    waiting = server.get(f"/jobs/{short}.text.text.near", params={"output": "json"})
    assert waiting.json()["state"] == "queued"
    assert outcome(server, job)[0]["state"] == "done"
    assert outcome(server, f"/jobs/{short}.text.text.near")[0]["state"] == "done"


@pytest.mark.parametrize(
    "job",
    [
        NOBODY,
        f"{NOBODY}.header",
        f"{NOBODY}.header.xml.near",
        f"{NOBODY}.header.bibtex",
        f"{NOBODY}.header.xml.extra",
        f"{NOBODY}.records.json",
        f"{NOBODY}.records.json.nobody",
        "..%2f..%2fetc.header.xml.near",
        "....",
        "%00.text.text.near",
        "a" * 5000,
    ],
)
def test_jobs_that_are_none(server, job):
    assert is_problem(server.get(f"/jobs/{job}"), 404)


@pytest.mark.parametrize(
    ("preferences", "seconds"),
    [
        ([], None),
        (["return=minimal"], None),
        (["wait=5"], None),
        (["respond-async"], 0),
        (["Respond-Async; foo=bar"], 0),
        (["respond-async, wait=10"], 10),
        (["wait=10", "respond-async"], 10),
        (['respond-async, wait="10"'], 10),
        (["respond-async, wait=soon"], 0),
        (["respond-async, wait=-1"], 0),
        (["not-respond-async"], None),
    ],
)
def test_preferences(preferences, seconds):
    assert patience(preferences) == seconds


def test_a_client_may_wait_a_while_before_it_is_given_a_job(server, long_paper):
    document = server.add(long_paper + b"\n% another one\n")
    patient = {"Prefer": "respond-async, wait=60"}
    assert server.get(f"/{document}/text", headers=patient).status_code == 200


def test_a_description_of_jobs_is_in_openapi(server):
    described = server.get("/openapi.json").json()["paths"]
    assert "/jobs/{job_id}" in described
    header = described["/{document_id}/header"]["get"]
    assert "202" in header["responses"]
    assert "Prefer" in {parameter["name"] for parameter in header["parameters"]}
