"""Identifiers, dates, licence and language of papers."""

import pytest

from rowen.facts import dates_of, ids_of, language_of, licence_of


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("arXiv:2001.00001v2 [cs.DL] 1 Jan 2020", {"arxiv": "2001.00001v2"}),
        ("arXiv:hep-th/9901001", {"arxiv": "hep-th/9901001"}),
        ("ISSN: 2049-3630", {"issn": "2049-3630"}),
        ("e-ISSN 2434-561X", {"issn": "2434-561X"}),
        ("ISSN 2049-3631", {}),
        ("PMCID: PMC1087475, PMID: 15826309", {"pmid": "15826309", "pmcid": "PMC1087475"}),
        ("call 2001.00001 for help", {}),
    ],
)
def test_identifiers_are_found_where_they_are_named_and_valid(text, ids):
    assert ids_of(text) == ids


@pytest.mark.parametrize(
    ("text", "dates"),
    [
        (
            "Received: 3 May 2019; Accepted: 2019-07-01",
            {"received": "2019-05-03", "accepted": "2019-07-01"},
        ),
        (
            "Submitted: 18 April 2019 Published: 04 August 2019",
            {"received": "2019-04-18", "published": "2019-08-04"},
        ),
        (
            "Received 9 October 2018; in revised form 3 June 2019",
            {"received": "2018-10-09", "revised": "2019-06-03"},
        ),
        ("Accepted 03/04/2019", {"accepted": "03/04/2019"}),
        ("Received 3rd May 2019", {"received": "2019-05-03"}),
        ("Reçu le 3 mai 2019", {"received": "2019-05-03"}),
        ("was received with joy", {}),
    ],
)
def test_dates_have_what_happened_then(text, dates):
    assert dates_of(text) == dates


@pytest.mark.parametrize(
    ("text", "licence"),
    [
        ("http://creativecommons.org/licenses/by/2.0", "CC BY 2.0"),
        ("https://creativecommons.org/licenses/by-nc-nd/4.0/", "CC BY-NC-ND 4.0"),
        ("Creative Commons Attribution 4.0 International License (CC BY 4.0)", "CC BY 4.0"),
        ("the Creative Commons Attribution-NonCommercial-ShareAlike License", "CC BY-NC-SA"),
        ("published under CC-BY-SA 3.0", "CC BY-SA 3.0"),
        ("Creative Commons Zero", "CC0 1.0"),
        ("all rights reserved", None),
    ],
)
def test_licences_have_their_short_names(text, licence):
    assert licence_of(text) == licence


@pytest.mark.parametrize(
    ("text", "language"),
    [
        (
            "We study the pages of a site and the parts that they are made of, for all.",
            "en",
        ),
        (
            "Wir lesen die Seiten und die Teile, aus denen sie bestehen, mit dem Werkzeug.",
            "de",
        ),
        (
            "Nous lisons les pages de ce site et les parties qui les composent pour nous.",
            "fr",
        ),
        (
            "Las páginas de un sitio y las partes que las componen se leen con una regla.",
            "es",
        ),
        ("我们研究网站的页面以及组成它们的部分", "zh"),
        ("私たちはサイトのページとその部分を研究します", "ja"),
        ("12 34 56", None),
        ("", None),
    ],
)
def test_languages_are_known_by_script_and_frequent_words(text, language):
    assert language_of(text) == language
