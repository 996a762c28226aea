import os
import signal

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
