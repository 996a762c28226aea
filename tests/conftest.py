import signal
from pathlib import Path

import pytest
from effort import EXPLORE, cases
from hypothesis import HealthCheck, settings

# Machines are shared and slow at times: no test may depend on how fast it runs. The same cases are
# tried every time, so that a failure means a change; ROWEN_EXPLORE=1 tries many others.
settings.register_profile(
    "rowen",
    deadline=None,
    derandomize=not EXPLORE,
    max_examples=cases(100, 2_000),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("rowen")

# A shell starts jobs in the background with interrupts ignored, and processes inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

# The lanes: `make quick` leaves out what these mark, `make test` runs everything. They are given by
# folder or file, so that a new test is in the right lane without a thought. A file of a folder that
# is quick otherwise says itself that it is slow.
_LANES = {
    "browser": (
        "studio/", "home/", "librarian/test_screens.py", "librarian/test_flow.py",
        "export/test_html.py", "export/test_paper_report.py",
    ),
    "service": (
        "agents/", "service/", "librarian/", "client/", "engines/test_dask.py",
        "cli/test_run_dask.py",
        "cli/test_studio.py", "cli/test_token.py", "storage/documents/",
        "storage/test_object_storage.py", "sinks/", "test_examples.py",
    ),
    "slow": (
        "cli/", "core/test_sanitizers.py", "test_docs.py", "engines/", "papers/test_bad_input.py",
        "papers/test_hostile.py", "duplicates/", "recycling/verification/",
        "recycling/test_changes.py", "recycling/test_histories.py", "recycling/test_identities.py",
        "recycling/test_intake.py", "recycling/test_kills.py", "programs/",
        "wrappers/test_exports.py", "wrappers/test_token_scan.py", "storage/test_texts.py",
        "papers/test_templates.py",
    ),
}  # fmt: skip


def pytest_configure():
    for places in _LANES.values():
        for place in places:  # a folder that was renamed would be in no lane, unnoticed
            if not (Path(__file__).parent / place).exists():
                raise pytest.UsageError(
                    f"tests/conftest.py has a lane for {place}, which is not there"
                )


def pytest_ignore_collect(collection_path, config):
    """Leave a file out before it is read where its lane is left out: reading takes seconds."""
    left_out = [lane for lane in _LANES if f"not {lane}" in config.option.markexpr]
    return any(_is_in(lane, collection_path) for lane in left_out) or None


def pytest_collection_modifyitems(items):
    for item in items:
        for lane in _LANES:
            if _is_in(lane, item.path):
                item.add_marker(lane)


def _is_in(lane, path):
    place = path.relative_to(Path(__file__).parent).as_posix()
    return f"{place}/".startswith(_LANES[lane]) if path.is_dir() else place.startswith(_LANES[lane])
