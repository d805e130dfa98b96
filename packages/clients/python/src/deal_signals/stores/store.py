from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Literal, Mapping, Optional, Protocol, TypeVar

from ..errors import StoreConflict
from ..feed import Feed, Page

T_co = TypeVar("T_co", covariant=True)

#: The row of the state table that names the workspace.
WORKSPACE_STATE = "workspace"


class Store(Protocol[T_co]):
    """Stores the rows of feeds, and the position up to which each feed has been read.

    The type parameter is the transaction that the handler of a page gets, so that its writes are committed together with the
    cursor. A store without transactions passes None.
    """

    def claim_workspace(self, company_id: int) -> None:
        """Records which workspace's data the store holds.

        Raises:
                StoreConflict: It holds the data of another workspace.
        """

    def read_cursor(self, feed: Feed[Any]) -> Optional[str]:
        """Returns the cursor of a feed; None before its first page."""

    def save_page(
        self,
        feed: Feed[Any],
        page: Page[Any],
        previous_cursor: Optional[str],
        handle: Optional[Callable[[T_co, Page[Any]], object]] = None,
    ) -> None:
        """Stores the rows of a page and the cursor after it, atomically: after a crash, both are stored or neither is.

        A store that keeps rows applies the erasures that it has stored since the page was read.

        Args:
            previous_cursor: The cursor that the page was read with; None for the first page.
                handle: Runs after the rows were written and before the commit, with the page as it is stored. If it raises,
            nothing is
                    stored.

        Raises:
            StoreConflict: The stored cursor is no longer the one that the page was read with.
        """

    def close(self) -> None:
        """Closes the store."""


#: The outcome of an event: its object was stored; the stored row is as new or newer; the event was stored before; or the event
#: has no object.
Applied = Literal["written", "kept", "repeated", "ignored"]


@dataclass(frozen=True)
class SavedObject:
    """The object of a webhook event, and the feed that lists it.

    Attributes:
            recorded_at: When the event was recorded, in ISO 8601. Later erasures are applied to the object. None if unknown.
    """

    feed: Feed[Any]
    record: Mapping[str, Any]
    recorded_at: Optional[str] = None


class RowStore(Store[T_co], Protocol[T_co]):
    """A store with a table for each feed, which also stores the objects of webhook events."""

    def save_event(
        self,
        event_id: str,
        saved: Optional[SavedObject],
        handle: Optional[Callable[[T_co], object]] = None,
    ) -> Applied:
        """Records an event, and stores its object unless the stored row is as new or newer, in one transaction. Events are
        remembered for 90 days.

        Args:
                handle: Runs before the commit, unless the event was recorded before. If it raises, nothing is stored.
        """


def cursor_state(feed: Feed[Any]) -> str:
    """Returns the name of a feed's row in the state table."""
    return f"cursor of {feed}"


def moved_cursor(feed: Feed[Any]) -> StoreConflict:
    """The error for two programs that follow the same feed with the same store."""
    return StoreConflict(f"another program has moved the cursor of {feed} in this store")


def other_workspace(stored: str, company_id: int) -> StoreConflict:
    """The error for a store and an API key of different workspaces."""
    return StoreConflict(
        f"the store holds the data of workspace {stored}, but the API key belongs to workspace {company_id}"
    )
