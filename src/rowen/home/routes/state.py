"""Gives the routes access to the stores of the request's tenant."""

from fastapi import Request

from rowen.home.stores import NAME, ShownStores
from rowen.service.state import realm_of


def stores_of(request: Request) -> ShownStores:
    """The stores that the tenant of a request sees."""
    data = realm_of(request).extensions[NAME]
    assert isinstance(data, ShownStores)
    return data
