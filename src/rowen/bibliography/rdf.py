"""Zotero's RDF: items with authors as sequences, and the journals that they are part of."""

from collections.abc import Iterator
from xml.etree.ElementTree import Element, ParseError, fromstring

from rowen.bibliography.item import citation_of
from rowen.citations.citation import Citation, Name
from rowen.model.errors import InputError

_RDF = "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}"
_DC = "{http://purl.org/dc/elements/1.1/}"
_TERMS = "{http://purl.org/dc/terms/}"
_BIB = "{http://purl.org/net/biblio#}"
_FOAF = "{http://xmlns.com/foaf/0.1/}"
_PRISM = "{http://prismstandard.org/namespaces/1.2/basic/}"
_ZOTERO = "{http://www.zotero.org/namespaces/export#}"

_CONTAINERS = frozenset({"Journal", "Book", "Series", "Periodical", "Newspaper"})
_NO_ITEMS = frozenset({"attachment", "note", "annotation"})


def read_rdf(text: str, name: str) -> Iterator[Citation]:
    """The items of a library, in order; attachments and notes are none."""
    # Entities could grow without end, and no program that exports a library declares any.
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise InputError(f"{name} declares a document type: that is no RDF of Zotero")
    try:
        root = fromstring(text)  # noqa: S314  # entities are refused above
    except (ParseError, ValueError, RecursionError) as error:
        raise InputError(f"{name} is not XML: {error}") from None
    if root.tag != f"{_RDF}RDF":
        raise InputError(f"{name} is not RDF: its root is {root.tag.rpartition('}')[2]!r}")
    named = {
        about: element for element in root if (about := element.get(f"{_RDF}about")) is not None
    }
    for element in root:
        kind = element.findtext(f"{_ZOTERO}itemType", "").strip()
        # Journals stand beside the articles that are part of them.
        if kind and kind not in _NO_ITEMS:
            yield _citation(element, named)


def _citation(element: Element, named: dict[str, Element]) -> Citation:
    container = _container(element, named)
    places = [element] if container is None else [element, container]

    def first(*tags: str) -> str:
        found = (place.findtext(tag) for tag in tags for place in places)
        return next((text.strip() for text in found if text and text.strip()), "")

    identifiers = [_text(one) for place in places for one in place.iterfind(f"{_DC}identifier")]
    doi = next((text for text in identifiers if "10." in text and "DOI" in text.upper()), "")
    url = next((text for text in identifiers if text.startswith(("http:", "https:"))), "")
    texts = {
        "title": element.findtext(f"{_DC}title", ""),
        "container": "" if container is None else container.findtext(f"{_DC}title", ""),
        "year": first(f"{_DC}date"),
        "volume": first(f"{_PRISM}volume"),
        "issue": first(f"{_PRISM}number"),
        "pages": first(f"{_BIB}pages"),
        "doi": doi,
        "url": url,
        "note": element.findtext(f"{_DC}description", ""),
        **_publisher(element),
    }
    return citation_of(texts, _people(element, "authors"), _people(element, "editors"))


def _container(element: Element, named: dict[str, Element]) -> Element | None:
    part = element.find(f"{_TERMS}isPartOf")
    if part is None:
        return None
    inner = next((one for one in part if one.tag.rpartition("}")[2] in _CONTAINERS), None)
    return inner if inner is not None else named.get(part.get(f"{_RDF}resource", ""))


def _publisher(element: Element) -> dict[str, str]:
    publisher = element.find(f"{_DC}publisher")
    if publisher is None:
        return {}
    return {
        "publisher": next((one.text or "" for one in publisher.iter(f"{_FOAF}name")), ""),
        "place": next((one.text or "" for one in publisher.iter(f"{_ZOTERO}localityName")), ""),
    }


def _people(element: Element, role: str) -> Iterator[Name]:
    for group in element.iterfind(f"{_BIB}{role}"):
        for person in group.iter(f"{_FOAF}Person"):
            family = person.findtext(f"{_FOAF}surname", "").strip()
            given = person.findtext(f"{_FOAF}givenName", "").strip()
            if family or given:
                yield Name(given=given if family else "", family=family or given)


def _text(element: Element) -> str:
    return " ".join("".join(element.itertext()).split())
