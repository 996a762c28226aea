"""What each extractor of a run is: its version, and the code or settings behind it."""

from collections.abc import Sequence
from dataclasses import dataclass

from rowen.extractors.base import Extractor
from rowen.extractors.definition import Defined
from rowen.extractors.function import Function
from rowen.extractors.identity import Surroundings, identity_of
from rowen.stores.manifest import Manifest


@dataclass(frozen=True, slots=True)
class Known:
    """An extractor's identity as a run finds it when it starts; it may change while it works."""

    version: str
    code: str
    """What its code or its settings are, and how they were told; empty where they can't be."""
    function: tuple[str, Surroundings] | None = None
    unwatched: tuple[str, ...] = ()

    def has_old(self, name: str, previous: Manifest | None) -> bool:
        """Whether the last snapshot has results of this very extractor."""
        return previous is not None and previous.extractors.get(name) == self.version

    def changed_since(self, name: str, previous: Manifest) -> bool:
        """Whether its code is another than that which made the last snapshot's results."""
        before = previous.code.get(name, "")
        # Told in another way, by another Python for one, they can't be compared.
        comparable = before.rpartition(" ")[0] == self.code.rpartition(" ")[0]
        return bool(before and self.code) and comparable and before != self.code


def known(extractors: Sequence[Extractor]) -> dict[str, Known]:
    """The identity of each, by name."""
    return {one.name: _known(one) for one in extractors}


def _known(extractor: Extractor) -> Known:
    if isinstance(extractor, Function):
        own = extractor.identity()
        version, unwatched = extractor.given_version, own.unwatched
        if version is not None:
            unwatched = ()
        return Known(
            own.digest[:12] if version is None else version,
            own.tagged,
            (own.digest, own.surroundings),
            unwatched,
        )
    if isinstance(extractor, Defined):
        return Known(extractor.version, f"settings: {extractor.derived_version}")
    try:
        return Known(extractor.version, identity_of(type(extractor)).tagged)
    except Exception:  # noqa: BLE001  # others' classes may be anything; their version rules
        return Known(extractor.version, "")


def code_warning(name: str, version: str) -> str:
    """Code or settings are others, and the version is not."""
    return (
        f"extractor {name!r}: its code or settings changed, but its version is still {version!r}, "
        "so that old records are kept. Give it another version if its records may differ, or leave "
        "the version out: then it follows the code. --scratch extracts everything anew once"
    )


def unwatched_warning(name: str, unwatched: Sequence[str]) -> str:
    """What an identity can't tell."""
    return (
        f"extractor {name!r}: its version can't follow what is in {', '.join(unwatched)}. Where "
        "that decides about records, give a version and change it, or name the package in "
        "depends=[...]"
    )


def narrow_warning(name: str) -> str:
    """Its locality was found to be wrong."""
    return (
        f"extractor {name!r}: its locality was found too narrow in an earlier run, so that changed "
        "pages are extracted as a whole. Declare a wider one"
    )
