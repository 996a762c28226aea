"""All applications that the service hosts, as the commands start them."""

from collections.abc import Sequence
from pathlib import Path

from rowen.home.extension import HomeExtension
from rowen.librarian.extension import LibraryExtension
from rowen.service.extension import Extension
from rowen.studio.extension import StudioExtension
from rowen.studio.fetching import Reach


def applications(
    *,
    stores: Sequence[str] = (),
    folders: Sequence[Path] = (),
    fetch: Reach | None = None,
) -> list[Extension]:
    """Home, the library and the studio.

    `stores` are stores of runs to show. Below `folders`, people may choose more of them. `fetch`
    says where pages may be fetched from.
    """
    return [
        HomeExtension(stores=stores, folders=folders),
        LibraryExtension(),
        StudioExtension(fetch=fetch),
    ]
