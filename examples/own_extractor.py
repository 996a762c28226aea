"""A function as an extractor, and a test that it looks no further than it declares.

ISSNs end in a check digit, which no pattern can compute: a job for a function.

    python examples/own_extractor.py
"""

import re
from collections.abc import Iterator

import rowen
from rowen.testing import check_locality

PAGES = [
    "Hearing Research (ISSN 0378-5955) and Nature (0028-0836, online 1476-4687).",
    "Not one of them: 0378-5954, 10378-5955, 0378-5955-0028-0836. But this is: 2434-561X.",
]

NUMBER = re.compile(r"(?<![\d-])\d{4}-\d{3}[\dX](?![\d-])")


# An ISSN has 9 characters. One more on each side shows whether it is part of a longer number.
@rowen.extractor(
    name="issn", version="1", fields=["issn"], locality=rowen.Window(scope=9, context=1)
)
def issn(text: str) -> Iterator[dict[str, tuple[int, int]]]:
    """Find the ISSNs whose check digit is right."""
    for match in NUMBER.finditer(text):
        if _is_valid(match[0]):
            yield {"issn": match.span()}


def _is_valid(number: str) -> bool:
    digits = [10 if one == "X" else int(one) for one in number.replace("-", "")]
    return sum((8 - place) * digit for place, digit in enumerate(digits)) % 11 == 0


def main() -> None:
    """Print what is found, and what the check says of a right and of a wrong declaration."""
    for page in PAGES:
        print([record.values["issn"] for record in issn.extract(page)])

    compared = check_locality(issn, PAGES)
    print(f"{issn.locality} held in {compared} trials")

    # Without the context, text beside a record could change and nobody would look again.
    careless = rowen.extractor(
        issn.function, name="careless", locality=rowen.Window(scope=9, context=0)
    )
    try:
        check_locality(careless, PAGES)
    except rowen.LocalityError as error:
        print(error)


if __name__ == "__main__":
    main()
