"""Reference strings and citations as journals without a BibTeX style print them."""

from collections.abc import Callable, Sequence

from contents import Person, Work

Style = Callable[[Work], str]


def _inverted(person: Person, comma: str = ", ") -> str:
    return f"{person.family}{comma}{person.initials}" if person.given else person.family


def _direct(person: Person) -> str:
    return f"{person.initials} {person.family}" if person.given else person.family


def _listed(names: Sequence[str], last: str, between: str = ", ") -> str:
    if len(names) < 2:
        return "".join(names)
    return between.join(names[:-1]) + last + names[-1]


def _doi(work: Work, before: str = " https://doi.org/") -> str:
    return f"{before}{work.doi}" if work.doi else ""


def apa(work: Work) -> str:
    names = _listed([_inverted(person) for person in work.authors], ", & ")
    head = f"{names} ({work.year}). {work.title}."
    if work.kind == "book":
        return f"{head} {work.publisher}."
    if work.kind == "inproceedings":
        return f"{head} In {work.container} (pp. {work.pages})."
    return f"{head} {work.container}, {work.volume}({work.issue}), {work.pages}.{_doi(work)}"


def vancouver(work: Work) -> str:
    names = ", ".join(
        f"{person.family} {person.initials.replace('.', '').replace(' ', '').replace('-', '')}"
        for person in work.authors
    )
    if work.kind == "book":
        return f"{names}. {work.title}. {work.place}: {work.publisher}; {work.year}."
    if work.kind == "inproceedings":
        return f"{names}. {work.title}. In: {work.container}; {work.year}. p. {work.pages}."
    return (
        f"{names}. {work.title}. {work.container}. {work.year};{work.volume}({work.issue})"
        f":{work.pages}.{_doi(work, ' doi:')}"
    )


def chicago(work: Work) -> str:
    first, *others = work.authors
    names = _listed([f"{first.family}, {first.given}", *(p.name for p in others)], ", and ")
    if work.kind == "book":
        return f"{names}. {work.year}. {work.title}. {work.place}: {work.publisher}."
    if work.kind == "inproceedings":
        return f"{names}. {work.year}. “{work.title}.” In {work.container}, {work.pages}."
    return (
        f"{names}. {work.year}. “{work.title}.” {work.container} {work.volume}"
        f" ({work.issue}): {work.pages}.{_doi(work)}"
    )


def ieee(work: Work) -> str:
    names = _listed([_direct(person) for person in work.authors], " and ")
    if work.kind == "book":
        return f"{names}, {work.title}. {work.place}: {work.publisher}, {work.year}."
    if work.kind == "inproceedings":
        return f"{names}, “{work.title},” in {work.container}, {work.year}, pp. {work.pages}."
    return (
        f"{names}, “{work.title},” {work.container}, vol. {work.volume}, no. {work.issue},"
        f" pp. {work.pages}, {work.year}{_doi(work, ', doi: ')}."
    )


def harvard(work: Work) -> str:
    names = _listed([_inverted(person) for person in work.authors], " and ")
    if work.kind == "book":
        return f"{names}, {work.year}. {work.title}. {work.publisher}, {work.place}."
    if work.kind == "inproceedings":
        return f"{names}, {work.year}. {work.title}, in: {work.container}, pp. {work.pages}."
    return f"{names}, {work.year}. {work.title}. {work.container} {work.volume}, {work.pages}.{_doi(work)}"


def acs(work: Work) -> str:
    names = "; ".join(_inverted(person) for person in work.authors)
    if work.kind == "book":
        return f"{names}. {work.title}; {work.publisher}: {work.place}, {work.year}."
    if work.kind == "inproceedings":
        return f"{names}. {work.title}. In {work.container}, {work.year}; pp {work.pages}."
    return (
        f"{names}. {work.title}. {work.container} {work.year}, {work.volume}, {work.pages}."
        f"{_doi(work)}"
    )


def german(work: Work) -> str:
    names = "; ".join(f"{person.family}, {person.given}" for person in work.authors)
    if work.kind == "book":
        return f"{names} ({work.year}): {work.title}. {work.place}: {work.publisher}."
    if work.kind == "inproceedings":
        return f"{names} ({work.year}): {work.title}. In: {work.container}. {work.place}: {work.publisher}, S. {work.pages}."
    return f"{names} ({work.year}): {work.title}. In: {work.container} {work.volume} ({work.issue}), S. {work.pages}."


def french(work: Work) -> str:
    names = _listed(
        [f"{person.family.upper()} {person.initials}" for person in work.authors], " et "
    )
    if work.kind == "book":
        return f"{names} ({work.year}). {work.title}. {work.place}, {work.publisher}."
    if work.kind == "inproceedings":
        return f"{names} ({work.year}). « {work.title} », dans {work.container}, {work.publisher}, p. {work.pages}."
    return f"{names} ({work.year}). « {work.title} », {work.container}, vol. {work.volume}, n° {work.issue}, p. {work.pages}."


def iberian(work: Work) -> str:
    """ABNT and much that is printed in Spanish and Portuguese."""
    names = "; ".join(f"{person.family.upper()}, {person.given}" for person in work.authors)
    if work.kind == "book":
        return f"{names}. {work.title}. {work.place}: {work.publisher}, {work.year}."
    if work.kind == "inproceedings":
        return f"{names}. {work.title}. In: {work.container}. {work.place}: {work.publisher}, {work.year}. p. {work.pages}."
    return f"{names}. {work.title}. {work.container}, v. {work.volume}, n. {work.issue}, p. {work.pages}, {work.year}."


def italian(work: Work) -> str:
    names = ", ".join(f"{person.initials} {person.family}" for person in work.authors)
    if work.kind == "book":
        return f"{names}, {work.title}, {work.publisher}, {work.place} {work.year}."
    if work.kind == "inproceedings":
        return f"{names}, {work.title}, in {work.container}, {work.publisher}, {work.place} {work.year}, pp. {work.pages}."
    return f"{names}, {work.title}, in «{work.container}», {work.volume}, {work.year}, n. {work.issue}, pp. {work.pages}."


def gost(work: Work) -> str:
    names = ", ".join(f"{person.family} {person.initials}" for person in work.authors)
    pages = work.pages
    if work.kind == "book":
        return f"{names} {work.title}. — {work.place}: {work.publisher}, {work.year}."
    if work.kind == "inproceedings":
        return f"{names} {work.title} // {work.container}. — {work.place}: {work.publisher}, {work.year}. — С. {pages}."
    return f"{names} {work.title} // {work.container}. — {work.year}. — Т. {work.volume}, № {work.issue}. — С. {pages}."


def chinese(work: Work) -> str:
    """GB/T 7714."""
    names = ", ".join(person.family + person.given for person in work.authors)
    if work.kind == "book":
        return f"{names}. {work.title}[M]. {work.place}: {work.publisher}, {work.year}."
    if work.kind == "inproceedings":
        return f"{names}. {work.title}[C]//{work.container}. {work.place}: {work.publisher}, {work.year}: {work.pages.replace('–', '-')}."
    return f"{names}. {work.title}[J]. {work.container}, {work.year}, {work.volume}({work.issue}): {work.pages.replace('–', '-')}."


def japanese(work: Work) -> str:
    names = "・".join(person.family + person.given for person in work.authors)
    if work.kind == "book":
        return f"{names}: {work.title}, {work.publisher}, {work.place}, {work.year}."
    if work.kind == "inproceedings":
        return f"{names}: {work.title}, {work.container}, pp.{work.pages}, {work.year}."
    return f"{names}: {work.title}, {work.container}, Vol.{work.volume}, No.{work.issue}, pp.{work.pages}, {work.year}."


def arabic(work: Work) -> str:
    names = "، ".join(f"{person.family}، {person.given}" for person in work.authors)
    if work.kind == "book":
        return f"{names} ({work.year}). {work.title}. {work.place}: {work.publisher}."
    if work.kind == "inproceedings":
        return f"{names} ({work.year}). {work.title}. في: {work.container}، ص {work.pages}."
    return f"{names} ({work.year}). {work.title}. {work.container}، {work.volume}({work.issue})، ص {work.pages}."


STYLES: dict[str, Style] = {
    style.__name__: style
    for style in (
        apa, vancouver, chicago, ieee, harvard, acs, german, french, iberian, italian, gost,
        chinese, japanese, arabic,
    )
}  # fmt: skip


def by_name(
    works: Sequence[Work], keys: Sequence[str], *, and_: str = "&", others: str = "et al."
) -> str:
    """A citation by author and year: `(Liang & Wu, 2001; Seo et al., 2010)`."""
    works_by_key = {work.key: work for work in works}
    parts = []
    for key in keys:
        work = works_by_key[key]
        family = work.authors[0].family
        if len(work.authors) == 2:
            family += f" {and_} {work.authors[1].family}"
        elif len(work.authors) > 2:
            family += f" {others}"
        parts.append(f"{family}, {work.year}")
    return f"({'; '.join(parts)})"
