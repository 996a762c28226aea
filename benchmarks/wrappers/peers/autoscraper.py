"""Autoscraper: rules are the paths of elements that have a wanted text."""

import warnings
from collections.abc import Sequence

from benchmarks.optional import optional
from benchmarks.wrappers.peers.base import records_of, wanted
from benchmarks.wrappers.sites import Marked
from benchmarks.wrappers.texts import Record, cleaned, parsed
from rowen import Page


class AutoScraper:
    """All rules of all marked pages, less those that give anything else on a marked page.

    The latter is what its documentation has the user do by hand (`keep_rules`).
    """

    def __init__(self, marked: Sequence[Marked], *, several: bool) -> None:
        self.several = several
        self.scraper = optional("autoscraper").AutoScraper()
        with warnings.catch_warnings(action="ignore"):
            for page, label in marked:
                texts = wanted((page, label), parsed)  # it compares white space, too
                self.scraper.build(html=page.text, wanted_dict=texts, update=True)
            self._prune(marked)

    def _prune(self, marked: Sequence[Marked]) -> None:
        stray: set[str] = set()
        for one in marked:
            texts = wanted(one)
            alias = {rule["stack_id"]: rule["alias"] for rule in self.scraper.stack_list}
            given = self._results(one[0].text, grouped=True)
            for rule, found in given.items():
                if not {cleaned(text) for text in found} <= set(texts.get(alias[rule], ())):
                    stray.add(rule)
        kept = [rule for rule in self.scraper.stack_list if rule["stack_id"] not in stray]
        served = {rule["alias"] for rule in kept}
        self.scraper.stack_list = kept + [
            rule for rule in self.scraper.stack_list if rule["alias"] not in served
        ]

    def _results(self, text: str, **how: bool) -> dict[str, list[str]]:
        find = self.scraper.get_result_similar if self.several else self.scraper.get_result_exact
        found: dict[str, list[str]] = find(html=text, **how)
        return found

    def extract(self, page: Page) -> list[Record]:
        """On detail pages at the same places, on lists also at similar ones."""
        with warnings.catch_warnings(action="ignore"):
            found = self._results(page.text, group_by_alias=True, unique=not self.several)
        columns = {name: [cleaned(text) for text in texts] for name, texts in found.items()}
        return records_of(columns, several=self.several)
