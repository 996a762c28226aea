"""The settings of a service, as its operator chooses them."""

import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from rowen.service.connections import CONNECTIONS_PER_ADDRESS
from rowen.service.uploads import UPLOAD_BYTES
from rowen.service.workers import WAITING_READINGS

OPEN_REALMS = 64
"""Limit: how many tenants' stores are open at once. Each has a few connections, each with a
cache."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What an operator chooses."""

    data: Path
    workers: int = os.cpu_count() or 1
    waiting: int = WAITING_READINGS
    upload_bytes: int = UPLOAD_BYTES
    files: str | None = None
    """Where documents are stored, such as `s3://bucket/folder`, if not in `data`."""
    redis: str | None = None
    """The address of a Redis for results, if they are not stored with the documents."""
    result_seconds: Mapping[str, int] = field(default_factory=dict)
    """How long Redis keeps results of a kind, where that differs from the default."""
    near: bool = True
    """Whether results of near-duplicates may be reused."""
    open_realms: int = OPEN_REALMS
    connections_per_address: int = CONNECTIONS_PER_ADDRESS
    """How many connections one address may have. Behind a proxy all come from its address."""
    auth: Path | None = None
    """The file of access tokens. Without one there is a single realm, open to everybody."""
    prefix: str = ""
    """The path below which a proxy has the service, such as `/rowen`."""
    hosts: Collection[str] | None = None
    """The accepted values of the Host header beside this machine's own names; None for any."""
