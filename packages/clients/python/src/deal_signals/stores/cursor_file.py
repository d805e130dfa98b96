from __future__ import annotations

import json
import os
import threading
from contextlib import contextmanager
from typing import Dict, Iterator, Optional, Union

from ..errors import StoreConflict
from .replace_file import replace_file


class CursorFile:
    """Keeps cursors in a file, for `CursorStore`.

    There are no transactions: the handler of a page gets None, runs before the cursor is stored, and runs again if the program
    crashes in between. Several threads can use one file, but only one program at a time.
    """

    def __init__(self, file: Union[str, "os.PathLike[str]"]) -> None:
        """Uses a file, which is created when the first cursor is stored. Its folder must exist."""
        self._file = os.fspath(file)
        self._lock = threading.RLock()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        with self._lock:
            yield None

    def read(self, name: str, transaction: None) -> Optional[str]:
        return self._texts().get(name)

    def write(self, name: str, text: str, transaction: None) -> None:
        replace_file(self._file, json.dumps({**self._texts(), name: text}, indent=2, ensure_ascii=False) + "\n")

    def _texts(self) -> Dict[str, str]:
        try:
            with open(self._file, encoding="utf-8") as file:
                texts = json.load(file)
        except FileNotFoundError:
            return {}
        except ValueError:
            texts = None
        if not isinstance(texts, dict) or not all(isinstance(text, str) for text in texts.values()):
            raise StoreConflict(f"{self._file} is damaged; delete it to read everything again")
        return texts
