"""Gives the routes access to the library of the request's tenant."""

from fastapi import Request

from rowen.librarian.shelf import NAME, Shelf
from rowen.service.state import realm_of


def shelf_of(request: Request) -> Shelf:
    """The library of the tenant that sent a request."""
    data = realm_of(request).extensions[NAME]
    assert isinstance(data, Shelf)
    return data
