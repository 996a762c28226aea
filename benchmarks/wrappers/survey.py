"""The survey of section 7.2: each class is learned from each site's first pages, and timed."""

import time
from functools import cache
from typing import NamedTuple

from benchmarks.wrappers.sites import DETAIL, LISTS, Site, sites
from benchmarks.wrappers.trial import CLASSES, SIX, form_for, perfect, try_learn

PAGES = 5
"""So many pages of a site; the thesis took ten."""
AUTO_PAGES = 2
"""For `auto`, which learns every class several times over."""


class Answer(NamedTuple):
    """What came of one class on one site."""

    wrapped: bool
    seconds: float
    characters: int


@cache
def survey(*, whole: bool) -> dict[str, dict[str, Answer]]:
    """By site and class: all fields with `whole`, else those that each record has once.

    In the latter form only the thesis' six are asked, and sites without such a field are left out.
    """
    answers = {}
    for site in sites(*DETAIL, *LISTS):
        found = {}
        for name in CLASSES if whole else SIX:
            form = form_for(name, site, whole=whole)
            if form is not None:
                found[name] = _ask(form, name)
            elif whole:
                found[name] = Answer(wrapped=False, seconds=0.0, characters=0)
        if found:
            answers[site.name] = found
    return answers


def _ask(site: Site, name: str) -> Answer:
    """`auto` may leave out what it can't find, so what it gives is compared with the labels."""
    pages = site.pages[: AUTO_PAGES if name == "auto" else PAGES]
    start = time.process_time()
    wrapper = try_learn(pages, name)
    seconds = time.process_time() - start
    wrapped = wrapper is not None and (name != "auto" or perfect(wrapper, pages))
    return Answer(wrapped, seconds, sum(len(page.text) for page, _ in pages))
