from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import Dict, Iterator, Optional

from .cursor_store import CursorStore


class MemoryStore(CursorStore[None]):
    """Keeps the cursors in this process, and no rows. For programs that only need new records."""

    def __init__(self) -> None:
        super().__init__(_CursorMemory())


class _CursorMemory:
    def __init__(self) -> None:
        self._texts: Dict[str, str] = {}
        self._lock = threading.RLock()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        with self._lock:
            yield None

    def read(self, name: str, transaction: None) -> Optional[str]:
        return self._texts.get(name)

    def write(self, name: str, text: str, transaction: None) -> None:
        self._texts[name] = text
