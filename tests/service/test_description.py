"""What the service says of itself is true: for a program, and for one who knows the paper only."""

import re
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

CONFIG = Path(__file__).with_name("schemathesis.toml")


def test_schemathesis_finds_no_fault(server):
    ran = subprocess.run(
        [
            *(sys.executable, "-m", "schemathesis.cli", "--config-file", CONFIG, "run"),
            *(f"{server.url}/openapi.json", "--max-examples", "15", "--seed", "6", "--no-color"),
        ],
        capture_output=True, text=True, check=False, cwd=server.data.parent,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout[-5000:]
    assert "47 total" in ran.stdout


@pytest.fixture
def curl(tmp_path):
    """Runs curl: what it printed, and the headers of the answer."""
    if shutil.which("curl") is None:
        pytest.skip("there is no curl here")

    def run(*arguments):
        heads = tmp_path / "heads"
        ran = subprocess.run(
            ["curl", "-sS", "-D", heads, *arguments], capture_output=True, check=True, timeout=120
        )
        return ran.stdout, heads.read_text("latin-1")

    return run


@pytest.mark.parametrize("way", ["form", "bytes"])
def test_a_client_of_the_papers_table_works(server, paper, curl, tmp_path, way):
    file = tmp_path / "paper.pdf"
    file.write_bytes(paper)
    how = {"form": ["-F", f"myfile=@{file}"], "bytes": ["--data-binary", f"@{file}"]}[way]
    body, heads = curl(*how, f"{server.url}/")
    assert re.findall("HTTP/1.1 201 ", heads)
    place = server.url + re.search(r"(?mi)^location: (\S+)", heads)[1]
    assert ET.fromstring(body).findtext("uris/header") == f"{place}/header"
    assert curl(f"{place}/file")[0] == paper
    for stage, inner in (("header", "title"), ("citations", "citation"), ("body", "section")):
        for output in ("", "?output=xml"):
            root = ET.fromstring(curl(f"{place}/{stage}{output}")[0])
            assert root.findall(f".//{inner}")
        as_json, heads = curl(f"{place}/{stage}?output=json")
        assert as_json.startswith(b"{")
        assert "content-type: application/json" in heads
    text, heads = curl(f"{place}/text")
    assert text.startswith(b"FMIExchange.jl")
    assert "content-type: text/plain" in heads
    assert " 200 " in curl("-X", "DELETE", place)[1]
    assert " 404 " in curl(f"{place}/header")[1]
