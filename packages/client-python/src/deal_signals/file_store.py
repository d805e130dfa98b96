from __future__ import annotations

import json
import os
import threading
from types import TracebackType
from typing import Any, Callable, Dict, Optional, Type, Union

from .errors import StoreConflict
from .feed import Feed, Page
from .store import moved_cursor, other_workspace

_STATE_FILE = "state.json"
_LOCK_FILE = "lock"


class FileStore:
    """A store in a folder, with one file of newline-delimited JSON for each feed, such as `calls.ndjson`.

    A record that changes is appended again: of lines with the same `id`, the last one counts.

    The cursors are in `state.json`, with the length of each file that belongs to them. It is replaced after a page was written
    to the disk, and what is found behind that length is cut off. So a crash leaves neither half a page nor one twice.
    `deal-signals sync` of the npm package makes the same files.

    One program at a time can open a folder. There is no transaction: the handler of a page gets None, runs before the cursor is
    stored, and runs again if the program crashes in between.
    """

    def __init__(self, folder: Union[str, "os.PathLike[str]"]) -> None:
        """Opens a folder, which is created if it does not exist.

        Raises:
            StoreConflict: Another program has the folder open.
        """
        self._folder = os.fspath(folder)
        os.makedirs(self._folder, exist_ok=True)
        _lock(self._folder)
        self._state = self._read_state()
        self._lock = threading.RLock()

    def claim_workspace(self, company_id: int) -> None:
        with self._lock:
            stored = self._state["workspace"]
            if stored is not None and stored != company_id:
                raise other_workspace(str(stored), company_id)
            self._write_state({**self._state, "workspace": company_id})

    def read_cursor(self, feed: Feed[Any]) -> Optional[str]:
        cursor: Optional[str] = self._state["feeds"].get(feed, {}).get("cursor")
        return cursor

    def save_page(
        self,
        feed: Feed[Any],
        page: Page[Any],
        previous_cursor: Optional[str],
        handle: Optional[Callable[[None], object]] = None,
    ) -> None:
        with self._lock:
            if self.read_cursor(feed) != previous_cursor:
                raise moved_cursor(feed)
            lines = "".join(
                json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n" for record in page.data
            )
            stored_bytes: int = self._state["feeds"].get(feed, {}).get("bytes", 0)
            length = _write(os.path.join(self._folder, f"{feed.table}.ndjson"), stored_bytes, lines)
            if handle is not None:
                handle(None)
            feeds = {**self._state["feeds"], str(feed): {"cursor": page.next_cursor, "bytes": length}}
            self._write_state({**self._state, "feeds": feeds})

    def close(self) -> None:
        with self._lock:
            _remove(os.path.join(self._folder, _LOCK_FILE))

    def __enter__(self) -> FileStore:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        self.close()

    def _read_state(self) -> Dict[str, Any]:
        try:
            with open(os.path.join(self._folder, _STATE_FILE), encoding="utf-8") as file:
                state: Dict[str, Any] = json.load(file)
                return state
        except FileNotFoundError:
            return {"workspace": None, "feeds": {}}

    def _write_state(self, state: Dict[str, Any]) -> None:
        """Replaces the state. The rename shows either the old file or the new one, also after a power failure."""
        path = os.path.join(self._folder, _STATE_FILE)
        _write(f"{path}.new", 0, json.dumps(state, indent=2) + "\n")
        os.replace(f"{path}.new", path)
        if os.name != "nt":  # Windows cannot open a folder.
            descriptor = os.open(self._folder, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
        self._state = state


def _write(path: str, position: int, text: str) -> int:
    """Writes text at a position of a file, cuts off what follows, and waits for the disk. Returns the new length."""
    content = text.encode()
    with open(path, "r+b" if os.path.exists(path) else "w+b") as file:
        file.truncate(position)
        file.seek(position)
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    return position + len(content)


def _lock(folder: str) -> None:
    """Creates the lock file of a folder. One that a crashed program left behind is replaced."""
    path = os.path.join(folder, _LOCK_FILE)
    while True:
        # Linked only when it has its content, so that nobody reads an empty one.
        own = f"{path}.{os.getpid()}"
        with open(own, "w", encoding="utf-8") as file:
            file.write(str(os.getpid()))
        try:
            os.link(own, path)
            return
        except FileExistsError:
            pass
        finally:
            _remove(own)
        owner = _read_owner(path)
        if _is_running(owner):
            raise StoreConflict(f"{folder} is in use by the process {owner}")
        _remove(path)


def _read_owner(path: str) -> int:
    try:
        with open(path, encoding="utf-8") as file:
            return int(file.read())
    except FileNotFoundError:
        return 0


def _is_running(process_id: int) -> bool:
    """Whether a process runs. Our own id is that of an earlier process: in a container, every process may have the same."""
    if process_id in (0, os.getpid()):
        return False
    if os.name == "nt":
        # There, asking with `os.kill` would end the process. So a lock that was left behind has to be removed by hand.
        return True
    try:
        os.kill(process_id, 0)
        return True
    except ProcessLookupError:
        return False
    except PermissionError:
        return True


def _remove(path: str) -> None:
    try:
        os.remove(path)
    except FileNotFoundError:
        pass
