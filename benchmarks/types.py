"""Texts to values: Rowen's conversions beside other libraries, on the table of tests/values/.

python -m benchmarks.types

Each library gets the text and the language of a case, and counts as right if it gives the value, or
none where the table says that the text must be refused. What differs is wrong: a made-up value is
worse than none. The table was written for Rowen, so that Rowen's own row says only that it
keeps to it; the rows of the others say what depending on them would mean. Of their prices only
the amount is compared, for they don't give codes.
"""

import json
import time
import warnings
from collections import Counter
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

from benchmarks.measure import Table
from benchmarks.optional import optional
from rowen.values.conversion import Setting, convert, to_json

CASES = Path(__file__).parents[1] / "tests" / "values" / "cases.jsonl"
ROUNDS = 5
SLOW_SECONDS = 0.5
"""After so long a library's time is measured in one round only."""

Case = dict[str, Any]
Way = Callable[[Case], object]


def rowen(case: Case) -> object:
    """Rowen's own conversion."""
    value = convert(case["text"], case["type"], Setting(case.get("language"), case.get("base")))
    return to_json(value["amount"] if isinstance(value, dict) else value)


def _babel(case: Case) -> object:
    numbers, dates = optional("babel.numbers"), optional("babel.dates")
    locale = case.get("language", "en").replace("-", "_")
    if case["type"] == "number":
        return float(numbers.parse_decimal(case["text"], locale=locale))
    return dates.parse_date(case["text"], locale=locale).isoformat()


def _price_parser(case: Case) -> object:
    amount = optional("price_parser").Price.fromstring(case["text"]).amount
    if amount is None or case["type"] == "price":
        return None if amount is None else str(amount)
    return float(amount)


def _dateutil(case: Case) -> object:
    moment = optional("dateutil.parser").parse(case["text"])
    return (moment.date() if case["type"] == "date" else moment).isoformat()


def _dateparser(case: Case) -> object:
    language = case.get("language")
    moment = optional("dateparser").parse(
        case["text"], languages=[language.partition("-")[0]] if language else None
    )
    if moment is None:
        return None
    return (moment.date() if case["type"] == "date" else moment).isoformat()


def _quantulum(case: Case) -> object:
    quantities = optional("quantulum3.parser").parse(case["text"])
    return quantities[0].value if len(quantities) == 1 else None


def _number_parser(case: Case) -> object:
    language = case.get("language", "en").partition("-")[0]
    return optional("number_parser").parse_number(case["text"], language=language)


WAYS: dict[str, tuple[str, Way, tuple[str, ...]]] = {
    "Rowen": ("rowen", rowen, ("number", "price", "date", "datetime")),
    "Babel": ("babel", _babel, ("number", "date")),
    "price-parser": ("price_parser", _price_parser, ("number", "price")),
    "quantulum3": ("quantulum3.parser", _quantulum, ("number",)),
    "number-parser": ("number_parser", _number_parser, ("number",)),
    "python-dateutil": ("dateutil.parser", _dateutil, ("date", "datetime")),
    "dateparser": ("dateparser", _dateparser, ("date", "datetime")),
}


def expected_of(case: Case) -> object:
    """What a library should give: the value, of a price its amount, or None."""
    value = case.get("value")
    return value["amount"] if isinstance(value, dict) else value


def attempt(way: Way, case: Case) -> object:
    """The value that a library gives, or None where it raises."""
    try:
        return way(case)
    except Exception:  # noqa: BLE001  # libraries refuse in many ways, and that is what counts
        return None


def is_same(value: object, expected: object) -> bool:
    """Whether two values agree; amounts as numbers."""
    if isinstance(value, str) and isinstance(expected, str) and "-" not in value[1:]:
        try:
            return Decimal(value) == Decimal(expected)
        except ArithmeticError:
            return value == expected
    return value == expected


def judge(way: Way, cases: list[Case]) -> Counter[str]:
    """How many cases are right, wrong and without an answer."""
    counts: Counter[str] = Counter()
    for case in cases:
        value, expected = attempt(way, case), expected_of(case)
        if is_same(value, expected):
            counts["right"] += 1
        elif value is None:
            counts["none"] += 1
        elif expected is None:
            counts["made up"] += 1
        else:
            counts["wrong"] += 1
    return counts


def microseconds(way: Way, cases: list[Case]) -> float:
    """The processor time of a conversion, the best of some rounds."""
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.process_time()
        for case in cases:
            attempt(way, case)
        best = min(best, time.process_time() - start)
        if best > SLOW_SECONDS:
            break
    return best / len(cases) * 1e6


def run() -> Table:
    """One row per library and type."""
    warnings.simplefilter("ignore")  # of libraries that warn of their own guesses
    cases = [json.loads(line) for line in CASES.read_text("utf-8").splitlines()]
    table = Table(
        f"types: {len(cases)} texts with their values, {date.today():%Y-%m-%d}",  # noqa: DTZ011  # a day
        (
            "type",
            "cases",
            "library",
            "right",
            "no answer",
            "wrong value",
            "value for a text to refuse",
            "µs",
        ),
    )
    for kind in ("number", "price", "date", "datetime"):
        of_kind = [case for case in cases if case["type"] == kind]
        for name, (module, way, kinds) in WAYS.items():
            if kind not in kinds or not optional(module):
                continue
            counts = judge(way, of_kind)
            numbers = (counts[key] for key in ("right", "none", "wrong", "made up"))
            table.add(
                kind,
                str(len(of_kind)),
                name,
                *map(str, numbers),
                f"{microseconds(way, of_kind):.1f}",
            )
    return table


if __name__ == "__main__":
    print(run())
