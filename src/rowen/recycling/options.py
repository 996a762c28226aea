"""What a user may set for a run."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from rowen.extractors.base import Extractor
from rowen.model import InputError, UsageError
from rowen.recycling.match import MATCHERS
from rowen.recycling.time_limit import EXTRACTION_SECONDS

ALLOWED_SHRINK = 0.3
"""The share of the last snapshot's pages that the next one may lack."""


@dataclass(frozen=True, slots=True)
class Options:
    """The settings of a run."""

    matcher: str = "auto"
    verify: float | None = None
    """The share of pages with copied records to check; None for what 2% of the cost allow."""
    scratch: bool = False
    strict: bool = False
    page_seconds: float = EXTRACTION_SECONDS
    update: bool = False
    """Whether pages that are not in the snapshot stay as they are."""
    gone: frozenset[str] = frozenset()
    """In an update, the ids of pages that no longer exist."""
    allow_shrink: float = ALLOWED_SHRINK


def check_settings(extractors: Sequence[Extractor], options: Options) -> None:
    """Raise a `UsageError` if a run can't have these extractors and options."""
    if not extractors:
        raise UsageError("a run needs at least one extractor")
    names = [extractor.name for extractor in extractors]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise UsageError(f"two extractors have the name {twice!r}: results are stored by name")
    if options.matcher != "auto" and options.matcher not in MATCHERS:
        choices = ", ".join(("auto", *MATCHERS))
        raise UsageError(f"unknown matcher {options.matcher!r}; choose from {choices}")
    if options.verify is not None and not 0 <= options.verify <= 1:
        raise UsageError(f"the share of pages to verify must be from 0 to 1, not {options.verify}")
    if options.gone and not options.update:
        raise UsageError(
            "ids of gone pages are for an update: otherwise all pages are gone that are not in "
            "the snapshot"
        )
    if not 0 <= options.allow_shrink <= 1:
        raise UsageError(
            f"the share of pages that may be lost must be from 0 to 1, not {options.allow_shrink}"
        )


def check_shrink(before: int, now: int, allowed: float) -> None:
    """Refuse a snapshot that has lost more than the allowed share of its pages.

    A crawl that broke off must not look like a site that shrank.

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
