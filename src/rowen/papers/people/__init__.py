"""The authors of a paper with their affiliations and e-mail addresses, from the lines of its front.

    Ada Lovelace¹, Charles Babbage¹,²            front.py: lines by their position, cut into cells
    ¹University of London ²Royal Society         tokens.py: words, numbers, signs, addresses
    lovelace@example.org

    Ada         name start                       features.py, rowen.crf: a CRF labels the tokens
    Lovelace    name                             lists.py: lists complete what the CRF missed
    1           mark                             signatures.py: names and the marks after them
    1           mark                             affiliations.py: linked to names by their marks
    University  affiliation start                mails.py: linked to names by their letters

    Author("Ada", "Lovelace", ("University of London",), "lovelace@example.org")
    Author("Charles", "Babbage", ("University of London", "Royal Society"))

`names.py` divides a printed name into given and family name.
"""

from rowen.papers.people.authors import Author, authors_of

__all__ = ["Author", "authors_of"]
