"""The process that keeps a run's claim alive, and withdraws it when all of the run was killed."""

import os
import select
import sys
import time

_RENEWALS = 10
"""How often a claim is renewed in the time in which it would run out."""


def keep(uri: str, name: str, seconds: float) -> None:
    """Renew the claim until standard input says that the run is done, or ends with it.

    A claim that ran out, on a machine that slept, is another's to remove and is not renewed.
    """
    standing = sys.stdin.fileno()
    last = time.time()
    while True:
        ready, _, _ = select.select([standing], [], [], seconds / _RENEWALS)
        if ready and os.read(standing, 1):
            return
        if time.time() - last > seconds or not _renewed(uri, name, withdraw=bool(ready)):
            return
        last = time.time()


def _renewed(uri: str, name: str, *, withdraw: bool) -> bool:
    """Whether the claim is there and goes on; it may also be that nobody can tell just now."""
    from rowen.model.errors import StoreError
    from rowen.stores.place import Place

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
