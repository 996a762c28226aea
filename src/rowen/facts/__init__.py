"""Facts about a paper beside its header: identifiers, dates, licence, language."""

from rowen.facts.history import dates_of
from rowen.facts.identifiers import ids_of
from rowen.facts.language import language_of
from rowen.facts.licences import licence_of

__all__ = ["dates_of", "ids_of", "language_of", "licence_of"]
