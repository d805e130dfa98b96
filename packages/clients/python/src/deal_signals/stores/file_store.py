from __future__ import annotations

import json
import os
import threading
from types import TracebackType
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Type, Union

from ..errors import StoreConflict
from ..feed import Feed, Page
from ..feeds import ERASURES
from ..types import Erasure
from .erasing import ERASED_FEEDS, Clearing, clear_page, clear_record, list_clearings, missing_since
from .replace_file import replace_file
from .store import moved_cursor, other_workspace

_STATE_FILE = "state.json"
_LOCK_FILE = "lock"


class FileStore:
    """A store in a folder, with one file of newline-delimited JSON for each feed, such as `calls.ndjson`.

    A record that changes is appended again. If several lines have the same `id`, the last one counts.

    A page of erasures rewrites the files without replaced lines and without the erased data.

    The cursors are in `state.json`, with the file lengths that belong to them. It is replaced after a page was written to disk,
    and anything after the recorded length is truncated. So a crash leaves no partial and no duplicate page.
    `deal-signals sync` of the npm package produces the same files.

    One program at a time can open a folder. There are no transactions: the handler of a page gets None, runs before the cursor
    is stored, and runs again if the program crashes in between.
    """

    def __init__(self, folder: Union[str, "os.PathLike[str]"]) -> None:
        """Opens a folder, which is created if it does not exist.

        Raises:
                StoreConflict: Another program has the folder open, or a file is damaged or shorter than its recorded length.
            The length
                    is checked again before each page.
        """
        self._folder = os.fspath(folder)
        os.makedirs(self._folder, exist_ok=True)
        self._lock = threading.RLock()
        #: For each feed that is being read, the erasures that its next page may lack.
        self._missing: Dict[str, List[Erasure]] = {}
        _lock(self._folder)
        try:
            self._state = self._read_state()
            self._finish_replacing()
            self._truncate_to_stored()
        except BaseException:
            self.close()
            raise

    def claim_workspace(self, company_id: int) -> None:
        with self._lock:
            stored = self._state["workspace"]
            if stored is not None and stored != company_id:
                raise other_workspace(str(stored), company_id)
            self._write_state({**self._state, "workspace": company_id})

    def read_cursor(self, feed: Feed[Any]) -> Optional[str]:
        with self._lock:
            self._mark_read_start(feed)
            return self._stored_cursor(feed)

    def save_page(
        self,
        feed: Feed[Any],
        page: Page[Any],
        previous_cursor: Optional[str],
        handle: Optional[Callable[[None, Page[Any]], object]] = None,
    ) -> None:
        with self._lock:
            if self._stored_cursor(feed) != previous_cursor:
                raise moved_cursor(feed)
            page = clear_page(feed, page, self._missing.get(feed, []))
            lines = "".join(_to_line(record) for record in page.data)
            stored_bytes: int = self._state["feeds"].get(feed, {}).get("bytes", 0)
            length = _write(self._feed_file(feed), stored_bytes, lines)
            if handle is not None:
                handle(None, page)
            feeds = {**self._state["feeds"], str(feed): {"cursor": page.next_cursor, "bytes": length}}
            is_erasing = feed == ERASURES
            others = [name for name in feeds if name != ERASURES]
            stale: List[str] = self._state.get("stale", [])
            replacing = others if is_erasing else [name for name in stale if name == feed]
            clearings = [one for erasure in page.data for one in list_clearings(erasure)] if is_erasing else []
            for name in replacing:
                feeds[name] = {**feeds[name], "bytes": self._write_erased(name, feeds[name]["bytes"], clearings)}
            left = others if is_erasing else [name for name in stale if name != feed or page.has_more]
            state = {"workspace": self._state["workspace"], "feeds": feeds, **({"stale": left} if left else {})}
            self._write_state({**state, "replacing": replacing} if replacing else state)
            self._finish_replacing()
            if is_erasing:
                for erasures in self._missing.values():
                    erasures.extend(page.data)
            self._mark_read_start(feed)

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

    def _stored_cursor(self, feed: Feed[Any]) -> Optional[str]:
        cursor: Optional[str] = self._state["feeds"].get(feed, {}).get("cursor")
        return cursor

    def _mark_read_start(self, feed: Feed[Any]) -> None:
        """Records that reading the next page of a feed begins now."""
        if feed not in ERASED_FEEDS:
            return
        erasures = self._missing.get(feed, [])
        since = missing_since(erasures[-1]["erasedAt"] if erasures else None)
        self._missing[feed] = [one for one in erasures if since is not None and one["erasedAt"] >= since]

    def _feed_file(self, feed: str) -> str:
        return os.path.join(self._folder, f"{Feed(feed).table}.ndjson")

    def _write_erased(self, feed: str, end: int, clearings: Sequence[Clearing]) -> int:
        """Writes the replacement of a feed's file next to it. Returns its length.

        Args:
                end: The length of the file up to which its lines count.
        """
        path = self._feed_file(feed)
        own = [clearing for clearing in clearings if clearing.feed == feed]
        # If a record occurs several times, the last line counts. Reading the file twice keeps only the ids in memory.
        last_of = {record["id"]: number for number, record in enumerate(_read_records(path, end))}
        with open(f"{path}.erased", "wb") as file:
            for number, record in enumerate(_read_records(path, end)):
                if last_of[record["id"]] != number:
                    continue
                file.write(_to_line(clear_record(record, own)).encode())
            file.flush()
            os.fsync(file.fileno())
            return file.tell()

    def _finish_replacing(self) -> None:
        """Finishes file replacements that a crash has interrupted. The state already has the new lengths."""
        state = dict(self._state)
        replacing: Optional[List[str]] = state.pop("replacing", None)
        if replacing is None:
            return
        for feed in replacing:
            path = self._feed_file(feed)
            if os.path.exists(f"{path}.erased"):
                os.replace(f"{path}.erased", path)
        self._write_state(state)

    def _read_state(self) -> Dict[str, Any]:
        path = os.path.join(self._folder, _STATE_FILE)
        try:
            with open(path, encoding="utf-8") as file:
                state = json.load(file)
        except FileNotFoundError:
            return {"workspace": None, "feeds": {}}
        except ValueError:
            state = None
        if not _is_state(state):
            raise StoreConflict(f"{path} is damaged; delete {self._folder} to copy everything again")
        checked: Dict[str, Any] = state
        return checked

    def _truncate_to_stored(self) -> None:
        """Truncates each file to its stored length, which removes what a crash has left behind."""
        for feed, stored in self._state["feeds"].items():
            path = self._feed_file(feed)
            _reject_shorter(path, stored["bytes"])
            if os.path.exists(path):
                os.truncate(path, stored["bytes"])

    def _write_state(self, state: Dict[str, Any]) -> None:
        replace_file(os.path.join(self._folder, _STATE_FILE), json.dumps(state, indent=2) + "\n")
        self._state = state


def _to_line(record: Any) -> str:
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n"


def _read_records(path: str, end: int) -> Iterator[Dict[str, Any]]:
    """Reads the records of a file up to a position."""
    if end == 0:
        return
    with open(path, "rb") as file:
        while file.tell() < end:
            yield json.loads(file.readline())


def _is_state(value: object) -> bool:
    if not isinstance(value, dict) or not isinstance(value.get("feeds"), dict):
        return False
    workspace = value.get("workspace")
    lists = [value.get(name, []) for name in ("replacing", "stale")]
    return all(isinstance(one, list) for one in lists) and (workspace is None or isinstance(workspace, int)) and all(
        isinstance(feed, dict) and isinstance(feed.get("cursor"), str) and isinstance(feed.get("bytes"), int)
        for feed in value["feeds"].values()
    )


def _reject_shorter(path: str, length: int) -> None:
    """Rejects a file that has lost records. The cursor is past them, so the feed would never return them again."""
    if (os.path.getsize(path) if os.path.exists(path) else 0) < length:
        folder = os.path.dirname(path)
        raise StoreConflict(f"{path} was changed or removed since it was written; delete {folder} to copy everything again")


def _write(path: str, position: int, text: str) -> int:
    """Writes text at a position of a file, truncates the rest, and syncs it to disk. Returns the new length.

    Raises:
        StoreConflict: The file ends before the position.
    """
    content = text.encode()
    _reject_shorter(path, position)
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
        # Linked only after its content is written, so that no program reads an empty lock file.
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
        owner = _read_small_file(path)
        if _is_running(int(owner) if owner.isdecimal() else 0):
            raise StoreConflict(f"{folder} is in use by the process {owner}; if that is another program, delete {path}")
        _remove_stale(path, owner)


def _remove_stale(path: str, owner: str) -> None:
    """Removes the lock of a program that has ended, unless another program has replaced it."""
    aside = f"{path}.{os.getpid()}.stale"
    try:
        os.rename(path, aside)
        if _read_small_file(aside) != owner:
            os.link(aside, path)
    except (FileNotFoundError, FileExistsError):
        pass  # Another program was faster.
    finally:
        _remove(aside)


def _read_small_file(path: str) -> str:
    """Returns the content of a small file; empty if it does not exist."""
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return ""


def _is_running(process_id: int) -> bool:
    """Whether another process with this id is running. Our own id belongs to an earlier process: in a container, every process
    may have the same id."""
    if process_id in (0, os.getpid()):
        return False
    if os.name == "nt":
        # On that platform, `os.kill` would end the process. So a stale lock has to be removed by hand.
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
