"""The description of results: calls answer as it says, and a generated client reads them."""

import importlib
import json
import subprocess
import sys
from enum import Enum
from importlib.resources import files
from typing import get_args, get_type_hints

import httpx
import jsonschema
import pytest
from serving import Server

PAPER = (files("rowen.samples") / "papers" / "jcon.00187.pdf").read_bytes()
RULES = b"kind = 'pattern'\npattern = '(?P<year>20[0-9][0-9])'"
ID = "{document_id}"

CALLS = [
    # The call as it is described, its options, the status, and how the generated client has it.
    ("PUT", "/extractors/{name}", {}, 201, None),
    ("GET", "/extractors", {}, 200, "extractors.names_extractors_get"),
    ("GET", f"/{ID}", {"output": "json"}, 200, "documents.describe_document_id_get"),
    ("GET", f"/{ID}/header", {"output": "json"}, 200,
     "representations.header_document_id_header_get"),
    ("GET", f"/{ID}/citations", {"output": "json"}, 200,
     "representations.citations_document_id_citations_get"),
    ("GET", f"/{ID}/citations", {"output": "csl"}, 200, None),
    ("GET", f"/{ID}/body", {"output": "json"}, 200, "representations.body_document_id_body_get"),
    ("GET", f"/{ID}/records", {"extractor": "years"}, 200,
     "representations.records_document_id_records_get"),
    ("GET", "/library", {}, 200, "library.papers_library_get"),
    ("GET", "/library/facets", {}, 200, "library.facets_library_facets_get"),
    ("GET", "/library/queue", {}, 200, "library.queue_library_queue_get"),
    ("GET", "/readyz", {}, 200, "operations.readyz_readyz_get"),
    ("GET", f"/{'0' * 32}", {}, 404, None),
]  # fmt: skip


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("typed") / "data")
    yield server
    assert server.end() == 0, server.log.read_text()


@pytest.fixture(scope="module")
def document(server):
    return server.add(PAPER)


@pytest.fixture(scope="module")
def description(server):
    return server.get("/openapi.json").json()


@pytest.fixture(scope="module")
def answers(server, document):
    """The answers to all calls, as any program gets them."""
    received = []
    for method, path, options, status, _ in CALLS:
        address = path.replace(ID, document).replace("{name}", "years")
        content = RULES if method == "PUT" else None
        answer = server.client.request(method, address, params=options, content=content)
        assert answer.status_code == status, (path, answer.text)
        received.append(answer)
    return received


def schema_of(description, method, path, status, media_type):
    responses = description["paths"][path][method.lower()]["responses"]
    content = (responses.get(str(status)) or responses["default"])["content"]
    return {**content[media_type]["schema"], "components": description["components"]}


def test_every_answer_is_as_it_is_described(description, answers):
    for (method, path, _, status, _), answer in zip(CALLS, answers, strict=True):
        described = f"/{ID}" if status == 404 else path
        media_type = answer.headers["Content-Type"].partition(";")[0]
        schema = schema_of(description, method, described, status, media_type)
        assert schema.keys() - {"components"}, path  # an empty schema says nothing
        jsonschema.validate(answer.json(), schema)


def test_every_result_in_json_has_a_schema_and_its_example_is_valid(description):
    for path, calls in description["paths"].items():
        for method, call in calls.items():
            for status, response in call["responses"].items():
                content = response.get("content", {}).get("application/json")
                if content is None or path == "/library/export":  # which is made of many formats
                    continue
                assert content.get("schema"), (method, path, status)
                if "example" in content:
                    schema = {**content["schema"], "components": description["components"]}
                    jsonschema.validate(content["example"], schema)


def test_a_wrong_answer_is_not_as_described(description, answers):
    header = dict(answers[3].json())
    del header["title"]
    schema = schema_of(description, "GET", f"/{ID}/header", 200, "application/json")
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(header, schema)


def chosen(call, word):
    """The member of the generated enumeration of `output` with this value."""
    kinds = get_args(get_type_hints(call)["output"])
    (kind,) = (kind for kind in kinds if isinstance(kind, type) and issubclass(kind, Enum))
    return kind(word)


def test_a_generated_client_gets_the_same_answers(
    server, document, answers, description, tmp_path, monkeypatch
):
    source = tmp_path / "openapi.json"
    source.write_text(json.dumps(description), "utf-8")
    command = [sys.executable, "-m", "openapi_python_client", "generate", "--path", source]
    made = subprocess.run(
        [*command, "--meta", "none", "--output-path", tmp_path / "generated_client"],
        check=False, capture_output=True, text=True, cwd=tmp_path,
    )  # fmt: skip
    assert made.returncode == 0, made.stdout + made.stderr
    monkeypatch.syspath_prepend(tmp_path)
    client_module = importlib.import_module("generated_client")
    with client_module.Client(base_url=server.url, timeout=httpx.Timeout(60)) as client:
        for (_, path, options, _, name), answer in zip(CALLS, answers, strict=True):
            if name is None:
                continue
            module = importlib.import_module(f"generated_client.api.{name}")
            own = dict(options)
            if "output" in own:
                own["output"] = chosen(module.sync, own["output"])
            places = (document,) if ID in path else ()
            result = module.sync(*places, client=client, **own)
            assert result is not None, name
            plain = result if isinstance(result, list) else result.to_dict()
            expected = answer.json()
            if name.startswith("operations"):
                assert plain["status"] == "ok"
            else:
                assert plain == expected, name
