from __future__ import annotations

from typing import Any, Callable, ContextManager, Generic, Optional, Protocol, TypeVar

from ..feed import Feed, Page
from .store import WORKSPACE_STATE, cursor_state, moved_cursor, other_workspace

T = TypeVar("T")


class Cursors(Protocol[T]):
    """Stores the cursors of a program that stores the rows itself: a few short texts, each with a name."""

    def transaction(self) -> ContextManager[T]:
        """Begins a transaction, which is rolled back if its block raises."""

    def read(self, name: str, transaction: T) -> Optional[str]:
        """Reads a text; None if there is none. If several programs share the cursors, lock the row (`FOR UPDATE`)."""

    def write(self, name: str, text: str, transaction: T) -> object:
        """Writes a text and replaces the previous one with the same name."""


class CursorStore(Generic[T]):
    """Stores cursors but no rows, for programs that write rows of their own.

    The handler of a page gets the transaction in which the cursor is then written, so both are committed together.
    """

    def __init__(self, cursors: Cursors[T]) -> None:
        self._cursors = cursors

    def claim_workspace(self, company_id: int) -> None:
        with self._cursors.transaction() as transaction:
            stored = self._cursors.read(WORKSPACE_STATE, transaction)
            if stored is None:
                self._cursors.write(WORKSPACE_STATE, str(company_id), transaction)
            elif stored != str(company_id):
                raise other_workspace(stored, company_id)

    def read_cursor(self, feed: Feed[Any]) -> Optional[str]:
        with self._cursors.transaction() as transaction:
            return self._cursors.read(cursor_state(feed), transaction)

    def save_page(
        self,
        feed: Feed[Any],
        page: Page[Any],
        previous_cursor: Optional[str],
        handle: Optional[Callable[[T, Page[Any]], object]] = None,
    ) -> None:
        with self._cursors.transaction() as transaction:
            if self._cursors.read(cursor_state(feed), transaction) != previous_cursor:
                raise moved_cursor(feed)
            if handle is not None:
                handle(transaction, page)
            self._cursors.write(cursor_state(feed), page.next_cursor, transaction)

    def close(self) -> None:
        """Does nothing: the caller owns the cursors."""
