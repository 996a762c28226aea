"""Run all benchmarks and print their tables, for RESULTS.md."""

import platform
from datetime import UTC, datetime

from benchmarks import (
    desk,
    dictionary,
    duplicates,
    extract,
    html_tokens,
    library,
    matchers,
    matching,
    model,
    noise,
    papers,
    proposals,
    recycle,
    service,
    start,
    studio,
    types,
    upkeep,
    wrappers,
)

PARTS = (
    start,
    extract,
    dictionary,
    html_tokens,
    wrappers,
    noise,
    model,
    upkeep,
    matchers,
    matching,
    recycle,
    papers,
    duplicates,
    service,
    studio,
    library,
    desk,
    proposals,
    types,
)

for part in PARTS:
    print(part.run(), end="\n\n", flush=True)
now = datetime.now(UTC)
print(f"{now:%Y-%m-%d}, Python {platform.python_version()}, {platform.machine()}")
