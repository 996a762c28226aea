"""Python clients of a service: `Client` and `AsyncClient`, and the values they return."""

from rowen.client.answers import Answer, Document, Found, Reuse
from rowen.client.clients import AsyncClient, Client

__all__ = ["Answer", "AsyncClient", "Client", "Document", "Found", "Reuse"]
