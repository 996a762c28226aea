"""The process that renews a run's claim, and withdraws it if the whole run was killed."""

import os
import select
import sys
import time

_RENEWALS = 10
"""How often a claim is renewed in the time in which it would run out."""


def keep(uri: str, name: str, seconds: float) -> None:
    """Renew the claim until standard input says that the run has ended, or is closed.

    A claim that ran out, on a machine that slept, may be another run's by now and is not renewed.
    """
    standard_input = sys.stdin.fileno()
    last = time.time()
    while True:
        ready, _, _ = select.select([standard_input], [], [], seconds / _RENEWALS)
        # The run writes a byte when it ends by itself. The end of the pipe means that it was
        # killed.
        if ready and os.read(standard_input, 1):
            return
        if time.time() - last > seconds or not _renewed(uri, name, withdraw=bool(ready)):
            return
        last = time.time()


def _renewed(uri: str, name: str, *, withdraw: bool) -> bool:
    """Whether the claim exists and goes on. An error of the network is no reason to give it up."""
    from rowen.model.errors import StoreError
    from rowen.storage.place import Place

    try:
        place = Place(uri)
        if withdraw:
            place.delete(name)
        elif place.exists(name):
            place.write_json(name, place.read_json(name))
            return True
    except StoreError:
        return not withdraw
    return False
