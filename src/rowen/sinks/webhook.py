"""The change feed as signed POST requests, which go on where they stopped.

    changes of a snapshot ──▶ batches of JSON lines ──▶ POST, again until it is accepted
                                                     └──▶ the state file notes what was accepted

A batch may arrive twice, if its acceptance got lost: it has the same `Rowen-Delivery` then, by
which the receiver recognises it. Batches arrive in order: the next one waits for the one before.
"""

import hashlib
import hmac
import json
import random
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from rowen.files import write_file
from rowen.model.errors import InputError, OutputError, UsageError
from rowen.model.extras import needs
from rowen.sinks.identity import identity_of
from rowen.store import Store

with needs("client", "a webhook"):
    import httpx

BATCH_CHANGES = 500
"""Limit: changes in one request."""

BATCH_BYTES = 1024 * 1024
"""Limit: bytes of the changes in one request, unless a single one is larger."""

REQUEST_SECONDS = 30.0
"""Limit: seconds to wait for the answer to a request."""

_FIRST_WAIT = 1.0
_LONGEST_WAIT = 300.0
_AGAIN = frozenset({408, 425, 429})
"""Statuses, besides 5xx, after which the same request may be accepted later."""

_SERVER_ERRORS = 500


@dataclass(frozen=True, slots=True)
class Webhook:
    """Where to deliver, and how."""

    url: str
    secret: bytes | None = None
    """Signs the requests; without it they have no signature."""
    retries: int = 8
    """How often a request is repeated before the delivery ends with an error."""

    def __post_init__(self) -> None:
        parts = urlsplit(self.url)
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise UsageError(f"a webhook is an address like https://HOST/PATH, not {self.url!r}")
        if parts.password is not None:
            raise UsageError("a webhook's address must not contain a password: sign with a secret")


@dataclass(frozen=True, slots=True)
class _Batch:
    snapshot: int
    number: int
    extractor: str
    lines: list[bytes]


def deliver(store: Store, extractor: str, webhook: Webhook, state: Path) -> int:
    """Deliver all changes after the last accepted batch; how many changes were delivered.

    `state` is a file of JSON that says how far each extractor is. A new one begins with the records
    of the oldest snapshot, which all came.
    """
    progress = _read_state(state, webhook)
    delivered = 0
    with httpx.Client(timeout=REQUEST_SECONDS, follow_redirects=False) as client:
        for batch in _batches(store, extractor, progress.get(extractor)):
            _send(client, webhook, batch, _delivery_id(store, batch))
            # After each batch: what is accepted is not sent again, unless we are killed right here.
            progress[extractor] = {
                "snapshot": batch.snapshot,
                "batches": batch.number + 1,
                "base": _before(store, extractor, batch.snapshot),
            }
            _write_state(state, webhook, progress)
            delivered += len(batch.lines)
    newest = _newest(store, extractor)
    if progress.get(extractor) != (finished := {"snapshot": newest, "batches": None, "base": None}):
        progress[extractor] = finished
        _write_state(state, webhook, progress)
    return delivered


def _batches(store: Store, extractor: str, reached: Mapping[str, Any] | None) -> Iterator[_Batch]:
    """The batches after the one that was reached. A snapshot's batches are always the same."""
    since, accepted = None, 0
    if reached is not None and reached["batches"] is None:
        since = reached["snapshot"]
    elif reached is not None:
        # In the middle of a snapshot: its changes are only the same from the same older one on.
        since, accepted = reached["base"], reached["batches"]
        store.snapshot(reached["snapshot"])
    lines: list[bytes] = []
    snapshot, number, size = -1, 0, 0
    for change in store.changes(extractor, since=since):
        line = json.dumps({"extractor": extractor, **change}, ensure_ascii=False)
        encoded = line.encode("utf-8", "replace") + b"\n"
        full = len(lines) >= BATCH_CHANGES or size + len(encoded) > BATCH_BYTES
        if lines and (full or change["snapshot"] != snapshot):
            if _is_new(snapshot, number, reached, accepted):
                yield _Batch(snapshot, number, extractor, lines)
            lines, size = [], 0
            number = number + 1 if change["snapshot"] == snapshot else 0
        snapshot = change["snapshot"]
        lines.append(encoded)
        size += len(encoded)
    if lines and _is_new(snapshot, number, reached, accepted):
        yield _Batch(snapshot, number, extractor, lines)


def _is_new(snapshot: int, number: int, reached: Mapping[str, Any] | None, accepted: int) -> bool:
    return reached is None or snapshot != reached["snapshot"] or number >= accepted


def _send(client: httpx.Client, webhook: Webhook, batch: _Batch, delivery: str) -> None:
    """Send a batch until it is accepted; an error that repetition can't mend ends it."""
    body = b"".join(batch.lines)
    reason = ""
    for attempt in range(webhook.retries + 1):
        if attempt:
            time.sleep(_wait(attempt))
        # Signed anew each time: a receiver may refuse old signatures.
        headers = {
            "Content-Type": "application/jsonl",
            "Rowen-Delivery": delivery,
            "Rowen-Snapshot": str(batch.snapshot),
            **_signature(webhook.secret, body),
        }
        try:
            answer = client.post(webhook.url, content=body, headers=headers)
        except httpx.HTTPError as error:
            reason = str(error) or type(error).__name__
            continue
        if answer.is_success:
            return
        reason = f"status {answer.status_code}"
        if answer.status_code < _SERVER_ERRORS and answer.status_code not in _AGAIN:
            break
    raise OutputError(
        f"{webhook.url} did not accept the changes of snapshot {batch.snapshot}: {reason}; what it "
        "accepted before is noted, so that the next delivery goes on from there"
    )


def _signature(secret: bytes | None, body: bytes) -> dict[str, str]:
    if secret is None:
        return {}
    moment = str(int(time.time()))
    digest = hmac.new(secret, moment.encode() + b"." + body, hashlib.sha256).hexdigest()
    return {"Rowen-Signature": f"t={moment},v1={digest}"}


def _wait(attempt: int) -> float:
    """Twice as long each time, and not at the same moment as other clients."""
    longest = min(_FIRST_WAIT * 2.0 ** (attempt - 1), _LONGEST_WAIT)
    return longest * random.uniform(0.5, 1)  # noqa: S311  # no secret


def _delivery_id(store: Store, batch: _Batch) -> str:
    content = [identity_of(store.snapshot(batch.snapshot)), batch.extractor, batch.number]
    return hashlib.blake2b(json.dumps(content).encode(), digest_size=16).hexdigest()


def _newest(store: Store, extractor: str) -> int:
    return [kept.number for kept in store.snapshots() if extractor in kept.extractors][-1]


def _before(store: Store, extractor: str, snapshot: int) -> int | None:
    """The snapshot that another one is compared with."""
    older = [
        kept.number
        for kept in store.snapshots()
        if extractor in kept.extractors and kept.number < snapshot
    ]
    return older[-1] if older else None


def _read_state(path: Path, webhook: Webhook) -> dict[str, Any]:
    try:
        content = json.loads(path.read_bytes())
        url, progress = content["webhook"], content["extractors"]
        for reached in progress.values():
            int(reached["snapshot"]), int(reached["batches"] or 0), int(reached["base"] or 0)
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"can't read the state of the webhook in {path}: {error}") from None
    if url != webhook.url:
        raise InputError(f"{path} is the state of another webhook, {url}: choose another file")
    return dict(progress)


def _write_state(path: Path, webhook: Webhook, progress: Mapping[str, Any]) -> None:
    try:
        write_file(
            path,
            json.dumps({"webhook": webhook.url, "extractors": progress}, indent=1).encode(),
        )
    except OSError as error:
        raise OutputError(f"can't write {path}: {error.strerror}") from error
