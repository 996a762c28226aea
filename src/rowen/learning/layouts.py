"""Layouts: marked pages of one site that need different rules for most of their fields.

A token wrapper may have several rules for a field. Where most fields do, and the same pages need
the same ones, the site has several layouts. Each gets a wrapper of its own, and each page goes to
the one that fits it best.

    page       name         price            signature
    1, 3       rule 1       rule 1           1 1          first layout
    2          rule 2       rule 2           2 2          second layout
"""

from collections.abc import Sequence

from rowen.assurance.evidence import Evidence
from rowen.landmarks.alternatives import add_alternatives
from rowen.landmarks.learn import learn_token, values
from rowen.learning.verification import reproduces
from rowen.model import NoConsistentWrapper, Page
from rowen.records import Example
from rowen.wrappers.base import Wrapper
from rowen.wrappers.mixture import Mixture
from rowen.wrappers.token.wrapper import Rule, Token

MOST = 0.5
"""This share of the fields has to need several rules: fewer are fields that vary by themselves."""

LAYOUTS = 4
"""Limit: more layouts than this are chance."""


def by_layout(wrapper: Token, examples: Sequence[Example], pages: Sequence[Page]) -> Mixture | None:
    """A wrapper for each layout of pages that are one record each; None where there is only one."""
    groups = _groups(wrapper, examples)
    if not 1 < len(groups) <= LAYOUTS:
        return None
    try:
        wrappers = [learn_token(group) for group in groups]
    except NoConsistentWrapper:
        return None
    routed = Mixture(wrapper.fields, wrappers=wrappers, evidence=Evidence.of(examples))
    by_wrapper: dict[Wrapper | None, list[Page]] = {each: [] for each in wrappers}
    for page in pages:
        by_wrapper.setdefault(routed.route(page)[0], []).append(page)
    mixture = Mixture(
        wrapper.fields,
        wrappers=[
            add_alternatives(each, group, by_wrapper[each])
            for each, group in zip(wrappers, groups, strict=True)
        ],
        evidence=Evidence.of(examples),
    )
    if not all(reproduces(example, mixture.extract(example.page)) for example in examples):
        return None
    if _found(mixture, pages) < _found(wrapper, pages):
        return None
    counts = " and ".join(str(len(group)) for group in groups)
    mixture.reason = (
        f"the marked pages have {len(groups)} layouts ({counts} pages), which share few rules; "
        "each page goes to the one that fits it best"
    )
    return mixture


def _groups(wrapper: Token, examples: Sequence[Example]) -> list[list[Example]]:
    """The examples by the rules that find their values; those of most pages first."""
    main = {
        name: [rule for rule in rules if not rule.otherwise]
        for name, rules in wrapper.rules.items()
    }
    varied = [name for name, rules in main.items() if len(rules) > 1]
    if wrapper.record is not None or len(varied) < 2 or len(varied) < MOST * len(main):
        return []
    groups: dict[tuple[object, ...], list[Example]] = {}
    for example in examples:
        signature = tuple(_finds(wrapper, name, main[name], example) for name in varied)
        groups.setdefault(signature, []).append(example)
    return sorted(groups.values(), key=len, reverse=True)


def _finds(wrapper: Token, name: str, rules: Sequence[Rule], example: Example) -> frozenset[int]:
    """The rules of a field that find something on a page."""
    return frozenset(
        number
        for number, rule in enumerate(rules)
        if Token([name], rules={name: [rule]}, several=wrapper.several).extract(example.page)
    )


def _found(wrapper: Wrapper, pages: Sequence[Page]) -> int:
    """How many values a wrapper finds."""
    return sum(len(values(wrapper.extract(page))) for page in pages)
