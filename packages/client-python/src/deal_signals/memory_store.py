from __future__ import annotations

import threading
from typing import Any, Callable, Dict, Optional

from .feed import Feed, Page
from .store import moved_cursor, other_workspace


class MemoryStore:
    """Keeps the cursors in this process, and no rows. For programs that only want what is new."""

    def __init__(self) -> None:
        self._cursors: Dict[str, str] = {}
        self._workspace: Optional[int] = None
        self._lock = threading.RLock()

    def claim_workspace(self, company_id: int) -> None:
        if self._workspace is not None and self._workspace != company_id:
            raise other_workspace(str(self._workspace), company_id)
        self._workspace = company_id

    def read_cursor(self, feed: Feed[Any]) -> Optional[str]:
        return self._cursors.get(feed)

    def save_page(
        self,
        feed: Feed[Any],
        page: Page[Any],
        previous_cursor: Optional[str],
        handle: Optional[Callable[[None], object]] = None,
    ) -> None:
        with self._lock:
            if self._cursors.get(feed) != previous_cursor:
                raise moved_cursor(feed)
            if handle is not None:
                handle(None)
            self._cursors[feed] = page.next_cursor

    def close(self) -> None:
        pass
