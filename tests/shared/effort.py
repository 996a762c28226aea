"""How many cases tests of properties try: `make test` few, and with ROWEN_EXPLORE=1 very many."""

import os

EXPLORE = bool(os.environ.get("ROWEN_EXPLORE"))


def cases(few, many):
    """How many; the few are the same ones every time, the many are others every time."""
    return many if EXPLORE else few
