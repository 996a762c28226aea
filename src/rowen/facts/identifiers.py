"""Identifiers of a paper beside its DOI: arXiv, ISSN, PubMed."""

import re

_ARXIV = re.compile(
    r"arxiv\s?[:.]?\s?(?:org/(?:abs|pdf)/)?(\d{4}\.\d{4,5}(?:v\d{1,2})?|[a-z-]{2,12}(?:\.[A-Z]{2})?/\d{7})",
    re.IGNORECASE,
)
_ISSN = re.compile(
    r"\b[ep]?-?ISSN(?:-L)?\W{0,3}(?:\([\w ]{1,10}\)\W{0,2})?(\d{4})[-‐–]?(\d{3}[\dXx])"
)
_PMID = re.compile(r"\bPMID\W{0,3}(\d{6,9})\b")
_PMCID = re.compile(r"\bPMC(?:ID)?\W{0,3}(?:PMC)?(\d{5,9})\b")


def ids_of(text: str) -> dict[str, str]:
    """The identifiers in a text.

    >>> ids_of("arXiv:2001.00001v2 [cs.DL] 1 Jan 2020, ISSN 2049-3630")
    {'arxiv': '2001.00001v2', 'issn': '2049-3630'}
    """
    ids: dict[str, str] = {}
    if match := _ARXIV.search(text):
        ids["arxiv"] = match[1]
    for match in _ISSN.finditer(text):
        issn = f"{match[1]}-{match[2].upper()}"
        if _is_valid(issn):
            ids["issn"] = issn
            break
    if match := _PMID.search(text):
        ids["pmid"] = match[1]
    if match := _PMCID.search(text):
        ids["pmcid"] = f"PMC{match[1]}"
    return ids


def _is_valid(issn: str) -> bool:
    """Whether the last digit of an ISSN is the checksum of the others."""
    digits = issn.replace("-", "")
    total = sum(
        int(digit) * weight for digit, weight in zip(digits[:7], range(8, 1, -1), strict=True)
    )
    return digits[7] == "0123456789X"[-total % 11]
