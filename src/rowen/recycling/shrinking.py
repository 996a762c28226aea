"""Snapshots that lost many pages: a crawl that broke off must not look like a site that shrank."""

import math

from rowen.model import InputError

ALLOWED_SHRINK = 0.3
"""The share of the last snapshot's pages that the next one may lack."""


def check_shrink(before: int, now: int, allowed: float) -> None:
    """Refuse a snapshot that has lost more than the allowed share of its pages.

    Raises:
        InputError: with what to do if the crawl was partial, and if it was not.
    """
    lost = 1 - now / before
    if lost <= allowed:
        return
    needed = min(math.ceil(lost * 100) / 100, 1.0)
    raise InputError(
        f"the snapshot has {now:,} pages and the last one {before:,}: {lost:.0%} are missing. "
        "If the crawl was partial, run it with --update, which keeps the pages that were not "
        f"fetched; if they are really gone, allow it with --allow-shrink {needed:g}"
    )
