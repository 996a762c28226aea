"""Calling a service from Python: `Client`, `AsyncClient`, and the values that they give."""

from rowen.client.answers import Answer, Document, Found, Reuse
from rowen.client.clients import AsyncClient, Client

__all__ = ["Answer", "AsyncClient", "Client", "Document", "Found", "Reuse"]
