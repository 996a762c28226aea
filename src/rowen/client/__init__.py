"""Python clients of a service: `Client` and `AsyncClient`, and the values they return."""

from rowen.client.answers import Answer, Document, Found, Reuse
from rowen.client.clients import AsyncClient, Client
from rowen.client.library import AddedPaper, AddedPapers, LibraryPage, LibraryPaper

__all__ = [
    "AddedPaper",
    "AddedPapers",
    "Answer",
    "AsyncClient",
    "Client",
    "Document",
    "Found",
    "LibraryPage",
    "LibraryPaper",
    "Reuse",
]
