"""The identity of each extractor of a run: its version, and the code or settings behind it."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from rowen.extractors.base import Extractor, localities_of
from rowen.extractors.definition import Defined
from rowen.extractors.function import Function
from rowen.extractors.identity import identity_of
from rowen.extractors.locality import locality_to_dict
from rowen.extractors.own_modules import Surroundings
from rowen.storage.snapshots.manifest import Manifest


@dataclass(frozen=True, slots=True)
class ExtractorIdentity:
    """An extractor's identity at the start of a run. Its code may change while the run works."""

    version: str
    code: str
    """A digest of its code or settings, with how it was computed; empty if there is none."""
    function: tuple[str, Surroundings] | None = None
    unwatched: tuple[str, ...] = ()
    """What a function uses that its identity does not cover."""

    def has_old(self, name: str, previous: Manifest | None) -> bool:
        """Whether the last snapshot has results of this extractor in this version."""
        return previous is not None and previous.extractors.get(name) == self.version

    def changed_since(self, name: str, previous: Manifest) -> bool:
        """Whether the last snapshot's results were made by other code."""
        before = previous.code.get(name, "")
        # Digests made in another way, by another Python for example, can't be compared.
        comparable = before.rpartition(" ")[0] == self.code.rpartition(" ")[0]
        return bool(before and self.code) and comparable and before != self.code


def identities_of(extractors: Sequence[Extractor]) -> dict[str, ExtractorIdentity]:
    """The identity of each extractor, by name."""
    return {extractor.name: _identity(extractor) for extractor in extractors}


def _identity(extractor: Extractor) -> ExtractorIdentity:
    if isinstance(extractor, Function):
        own = extractor.identity()
        # Who gives a version answers for what the code uses.
        version, unwatched = extractor.given_version, own.unwatched
        if version is not None:
            unwatched = ()
        return ExtractorIdentity(
            # Without a version, the code is the version: an edit makes the extractor start over.
            own.digest[:12] if version is None else version,
            own.tagged,
            (own.digest, own.surroundings),
            unwatched,
        )
    if isinstance(extractor, Defined):
        return ExtractorIdentity(extractor.version, f"settings: {extractor.derived_version}")
    try:
        return ExtractorIdentity(extractor.version, identity_of(type(extractor)).tagged)
    except Exception:  # noqa: BLE001  # others' classes may be anything; their version rules
        return ExtractorIdentity(extractor.version, "")


def declared_locality(extractor: Extractor) -> str:
    """All that an extractor declares about how far it looks, as it is stored in a manifest."""
    declared = [locality_to_dict(locality) for locality in localities_of(extractor)]
    return json.dumps(declared, sort_keys=True)


def was_too_narrow(previous: Manifest, extractor: Extractor) -> bool:
    """Whether an earlier run found the locality wrong that the extractor still declares."""
    stored = previous.checks.get(extractor.name)
    return isinstance(stored, dict) and stored.get("narrow") == declared_locality(extractor)


def code_warning(name: str, version: str) -> str:
    """The message where code or settings changed, and the version did not."""
    return (
        f"extractor {name!r}: its code or settings changed, but its version is still {version!r}, "
        "so its old records are kept. Give it another version if its records may differ, or leave "
        "the version out: then it follows the code. --scratch extracts everything again, once"
    )


def unwatched_warning(name: str, unwatched: Sequence[str]) -> str:
    """The message where a function uses something that its identity does not cover."""
    return (
        f"extractor {name!r}: its version does not cover what is in {', '.join(unwatched)}. "
        "If its records depend on that, give it a version and change that yourself, or name the "
        "package in depends=[...]"
    )


def narrow_warning(name: str) -> str:
    """The message where the declared locality was found to be wrong."""
    return (
        f"extractor {name!r}: its locality was found too narrow in an earlier run, so its changed "
        "pages are extracted as a whole. Declare a wider one"
    )
