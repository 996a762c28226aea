import os
import signal
from pathlib import Path

from hypothesis import HealthCheck, settings

# Machines are shared and slow at times: no test may depend on how fast it runs. The same cases are
# tried every time, so that a failure means a change; ROWEN_EXPLORE=1 tries others.
settings.register_profile(
    "rowen",
    deadline=None,
    derandomize="ROWEN_EXPLORE" not in os.environ,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("rowen")

# A shell starts jobs in the background with interrupts ignored, and processes inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

# The lanes: `make quick` leaves out what these mark, `make test` runs everything. They are given by
# folder or file, so that a new test is in the right lane without a thought.
_LANES = {
    "browser": ("studio/", "export/test_html.py", "export/test_paper_report.py"),
    "service": (
        "service/", "client/", "engines/test_dask.py", "cli/test_run_dask.py", "cli/test_studio.py",
        "cli/test_token.py", "stores/test_object_storage.py", "test_examples.py",
    ),
    "slow": (
        "cli/", "core/test_sanitizers.py", "runs/", "test_docs.py", "engines/", "wrappers/",
        "scholar/test_bad_input.py", "scholar/test_hostile.py", "documents/test_sandbox.py",
        "extractors/test_reach.py", "reuse/", "duplicates/", "documents/test_tree.py",
        "stores/test_damage.py", "sources/test_git.py",
    ),
}  # fmt: skip


def pytest_collection_modifyitems(items):
    for item in items:
        path = item.path.relative_to(Path(__file__).parent).as_posix()
        for marker, places in _LANES.items():
            if path.startswith(places):
                item.add_marker(marker)
