"""A user without a browser: the calls that the studio's window makes, one after another."""

from collections.abc import Mapping
from time import perf_counter
from typing import Any

import httpx

from benchmarks.studio_sites.cases import Case
from benchmarks.studio_sites.scores import Played, compare
from rowen.text.charset import encode

WAIT = 120.0
"""Limit: seconds for an answer; the studio's own limits end learning long before."""


class Client:
    """A project of the studio, changed and read by HTTP."""

    def __init__(self, url: str, project: str) -> None:
        self._api = httpx.Client(base_url=f"{url}/studio/api", timeout=WAIT)
        self._name = project
        self._project = f"/projects/{project}"

    def fill(self, case: Case) -> None:
        """Create the project with its pages and fields."""
        self._api.post("/projects", json={"name": self._name}).raise_for_status()
        for page in case.pages:
            self._post("pages", params={"page": page.id}, content=encode(page.text))
        self.act({"do": "fields", "fields": list(case.fields)})

    def names(self) -> list[str]:
        """The names that the project gave its pages, in their order."""
        pages: list[str] = self.state()["pages"]
        return pages

    def state(self) -> dict[str, Any]:
        """The project as a window gets it."""
        return dict(self._api.get(self._project).raise_for_status().json())

    def act(self, action: Mapping[str, Any]) -> None:
        """Apply an action to the current revision."""
        step = {"revision": self.state()["revision"], "action": action}
        self._post("actions", json=step)

    def proposals(self) -> dict[str, Any]:
        """What is learned from the marks."""
        answer = self._api.get(f"{self._project}/proposals")
        return dict(answer.raise_for_status().json())

    def close(self) -> None:
        """Delete the project."""
        self._api.delete(self._project)
        self._api.close()

    def _post(self, what: str, **content: Any) -> None:
        self._api.post(f"{self._project}/{what}", **content).raise_for_status()


def play(url: str, case: Case) -> Played:
    """Mark each record and ask for proposals after it, as a window does."""
    client = Client(url, case.name.replace("/", "-"))
    times: list[float] = []
    try:
        client.fill(case)
        client.proposals()
        for number, record in enumerate(case.marks):
            splice = {"page": client.names()[0], "start": number, "end": number, "complete": False}
            client.act({"do": "splice", **splice, "records": [record]})
            start = perf_counter()
            answer = client.proposals()
            times.append(1000 * (perf_counter() - start))
        return judge(case, client.names(), answer, times)
    except httpx.HTTPStatusError as error:
        return Played(case.name, 0, 0, len(case.pages), times, f"{error.response.text[:200]}")
    finally:
        client.close()


def judge(case: Case, names: list[str], answer: Mapping[str, Any], times: list[float]) -> Played:
    """How far the last proposals agree with the labels, and whether they leave a way on."""
    pages = answer["pages"]
    proposed = {
        page.id: pages[name]["records"] if name in pages else ()
        for page, name in zip(case.pages, names, strict=True)
    }
    f1, pages_right = compare(case, proposed)
    conflict = answer.get("conflict")
    stuck = ""
    ways = conflict and [
        *conflict["sides"],
        *(one for one in conflict["advice"] if "action" in one),
    ]
    if conflict and not ways:
        stuck = f"no way on: {conflict['reason']}"
    kind = (answer["wrapper"] or {}).get("class", "")
    return Played(case.name, f1, pages_right, len(case.pages), times, stuck, kind)
