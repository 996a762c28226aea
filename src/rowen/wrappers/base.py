"""What all wrappers are: extractors of delimiters that remember what they were learned from."""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeAlias

from rowen.extractors.definition import Defined, Definition
from rowen.extractors.locality import Locality, WholePage
from rowen.model import Example, Page, Record, Records, Span, Warning  # noqa: A004  # its word
from rowen.model.records import Rows

if TYPE_CHECKING:
    from rowen.wrappers.estimate import Estimate
    from rowen.wrappers.profile import Profile


Trusted: TypeAlias = Callable[[Example, str, Span], bool]
"""Whether a field's value in an example was seen, rather than guessed."""

BESIDE = ("reason", "warnings", "estimate", "profile")
"""What a saved wrapper has beside its class's own settings."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a wrapper was learned from, as far as its confidence depends on it."""

    pages: int
    records: int
    shortest: int
    """The length of the shortest example page, which bounds the delimiters to choose from (R)."""
    framed: int | None = None
    """The pages of which both head and tail are known (N*); None where all are."""
    known: Mapping[str, int] = field(default_factory=dict)
    """How many values of a field are known; of fields that are not in it, one in each record."""
    cut_short: bool = False
    """Whether the search ended at a limit, so that there may be a better wrapper."""

    @classmethod
    def of(cls, examples: Sequence[Example], *, trusted: Trusted | None = None) -> Self:
        """The evidence that examples are; `trusted` tells which values count, if not all do."""
        known: dict[str, int] = {}
        for example in examples:
            for record in example.records:
                for name, spans in record.items():
                    sure = [one for one in spans if trusted is None or trusted(example, name, one)]
                    known[name] = known.get(name, 0) + len(sure)
        framed = sum(not one.partial and _ends_known(one, known, trusted) for one in examples)
        return cls(
            pages=len(examples),
            records=sum(len(example.records) for example in examples),
            shortest=min((len(example.page.text) for example in examples), default=0),
            framed=framed,
            known=known,
        )


class Wrapper(Defined):
    """A learned extractor. Its records depend on where the scan stands, so the whole page counts.

    Where a delimiter that it needs is missing, a wrapper *fails*: `extract` gives the complete
    records found before, and their `failure` says what was missing.
    """

    kind = "wrapper"
    wrapper_class: ClassVar[str]
    evidence: Evidence | None
    reason: str = ""
    """Why this class and these rules were chosen, where `auto` chose."""
    warnings: tuple[Warning, ...] = ()
    """Which labels it does not reproduce, and what else may be wrong with it; empty only if it
    gives back every label."""
    profile: "Profile | None" = None
    """What its values used to look like; drift is told against it."""
    estimate: "Estimate | None" = None
    """How many examples came out right when they were left out, where that was tried."""

    def __init__(
        self,
        fields: Sequence[str],
        *,
        name: str = "wrapper",
        version: str | None = None,
        locality: Locality | None = None,
        evidence: Evidence | None = None,
    ) -> None:
        super().__init__(name, version, locality)
        self.fields = tuple(fields)
        self.evidence = evidence

    @abstractmethod
    def run(self, page: Page) -> Rows | Iterator[Record]:
        """The records of a page; raises `Failure` where a delimiter is missing."""

    @abstractmethod
    def delimiters(self) -> dict[str, Any]:
        """The settings of this class, as they are saved."""

    @abstractmethod
    def describe(self) -> str:
        """What it does, in words that someone who writes scrapers understands."""

    def explain(self) -> str:
        """What it does, why it was chosen, what is wrong with it, and how far to trust it."""
        from rowen.wrappers.assurance import assurance
        from rowen.wrappers.summary import summarise

        chosen = [f"Chosen: {self.reason}."] if self.reason else []
        warnings = [f"Warning: {line}." for line in summarise(self.warnings)]
        return "\n".join([self.describe(), *chosen, *warnings, *assurance(self)])

    def extract(self, page: Page | str) -> Records:
        """The page's records, or those before the place where the wrapper failed."""
        page = Page.of(page)
        found: list[Record] = []
        try:
            result = self.run(page)
            if isinstance(result, Rows):
                return Records(result)
            found.extend(result)
        except Failure as failure:
            if failure.rows is not None:
                return Records(failure.rows, failure=failure.reason)
            return Records(found, failure=failure.reason)
        return Records(found)

    def confidence(self, epsilon: float = 0.1) -> float:
        """How probable it is that fewer than `epsilon` of the pages go wrong, by the PAC model."""
        from rowen.wrappers.pac import confidence

        return confidence(self, epsilon)

    def suggest(self, page: Page | str | Example) -> Records:
        """What is still to be marked: its records, less those that an example has already."""
        from rowen.wrappers.suggest import suggest

        return suggest(self, page)

    def derive_locality(self) -> Locality:
        """The whole page: docs/locality.md proves that no window and no segments hold."""
        return WholePage()

    def settings(self) -> dict[str, Any]:
        """Class, fields, delimiters, and what they were learned from."""
        learned = {} if self.evidence is None else {"learned_from": _as_dict(self.evidence)}
        reason = {"reason": self.reason} if self.reason else {}
        warnings = [one.to_dict() for one in self.warnings]
        profile = {} if self.profile is None else {"profile": self.profile.to_dict()}
        estimate = {} if self.estimate is None else {"estimate": self.estimate.to_dict()}
        return {
            "class": self.wrapper_class,
            "fields": list(self.fields),
            **self.delimiters(),
            **learned,
            **reason,
            **({"warnings": warnings} if warnings else {}),
            **estimate,
            **profile,
        }

    def fingerprint(self) -> dict[str, Any]:
        """As the settings, without what they were learned from: that changes no record."""
        beside = ("learned_from", *BESIDE)
        return {key: value for key, value in self.settings().items() if key not in beside}

    @classmethod
    def from_definition(cls, definition: Definition) -> "Wrapper":
        """The wrapper that was saved, of the class that it names."""
        from rowen.wrappers.classes import wrapper_class
        from rowen.wrappers.estimate import Estimate
        from rowen.wrappers.profile import Profile

        estimate, profile = (definition.get(key, Mapping) for key in ("estimate", "profile"))
        rest = {key: value for key, value in definition.settings.items() if key not in BESIDE}
        wrapper = wrapper_class(definition.text("class")).read(replace(definition, settings=rest))
        wrapper.reason = definition.get("reason", str, "")
        wrapper.warnings = tuple(map(Warning.from_dict, definition.get("warnings", list, [])))
        wrapper.estimate = None if estimate is None else Estimate.from_dict(estimate)
        wrapper.profile = None if profile is None else Profile.from_dict(profile)
        return wrapper

    @classmethod
    @abstractmethod
    def read(cls, definition: Definition) -> Self:
        """A wrapper of this class from its definition; `identity(definition)` gives the rest."""

    @staticmethod
    def common(definition: Definition) -> dict[str, Any]:
        """Fields, identity and evidence, as the constructors take them."""
        given = definition.get("fields", list)
        if not given or not all(isinstance(one, str) for one in given):
            raise definition.error("'fields' must be a list of names")
        return {"fields": given, "evidence": _evidence(definition), **definition.identity()}

    def __repr__(self) -> str:
        return f"<wrapper {self.name!r} of class {self.wrapper_class}: {', '.join(self.fields)}>"


class Failure(Exception):  # noqa: N818  # not an error: extract tells of it
    """A delimiter that a wrapper needs is not on the page; `rows` were complete before."""

    def __init__(self, reason: str, rows: Rows | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.rows = rows


def _ends_known(example: Example, names: Iterable[str], trusted: Trusted | None) -> bool:
    """Whether nothing of the first and the last record is unknown or only guessed."""
    for record in (*example.records[:1], *example.records[-1:]):
        spans = dict(record.items())
        for name in names:
            if name not in spans or not all(
                trusted is None or trusted(example, name, one) for one in spans[name]
            ):
                return False
    return True


def _as_dict(evidence: Evidence) -> dict[str, Any]:
    found = {one.name: getattr(evidence, one.name) for one in fields(evidence)}
    return {
        name: value
        for name, value in found.items()
        if value not in (None, {}) and value is not False
    }


def _evidence(definition: Definition) -> Evidence | None:
    saved = definition.get("learned_from", dict)
    if saved is None:
        return None
    known = saved.get("known", {})
    numbers = {name: value for name, value in saved.items() if name != "known"}
    names = [one.name for one in fields(Evidence)]
    if (
        not {"pages", "records", "shortest"} <= saved.keys() <= set(names)
        or not isinstance(known, dict)
        or not all(isinstance(n, int) for n in (*numbers.values(), *known.values()))
    ):
        raise definition.error(f"'learned_from' has the numbers {', '.join(names)}")
    return Evidence(**saved)
