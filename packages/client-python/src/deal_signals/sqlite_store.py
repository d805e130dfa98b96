from __future__ import annotations

import json
import os
import sqlite3
import threading
from types import TracebackType
from typing import Any, Callable, List, Mapping, Optional, Set, Tuple, Type, Union

from .columns import FEED_COLUMNS
from .feed import Feed, Page
from .store import STATE_TABLE, WORKSPACE_STATE, cursor_state, moved_cursor, other_workspace

#: How long a statement waits for another program that writes to the file.
_BUSY_TIMEOUT_SECONDS = 30

#: SQLite has no types for dates and JSON: they are text, in the form of the API. Booleans are 0 and 1.
_SQLITE_TYPES = {
    "text": "TEXT",
    "uuid": "TEXT",
    "timestamp": "TEXT",
    "date": "TEXT",
    "json": "TEXT",
    "integer": "INTEGER",
    "boolean": "INTEGER",
    "number": "REAL",
}


class SqliteStore:
    """A store in a SQLite file, with one table for each feed. `deal-signals sync` of the npm package makes the same tables.

    Several threads can follow different feeds with one store: their pages are stored one after the other.

    Attributes:
        connection: The connection to the file, for tables of your own. The handler of a page gets the same one, inside the
            transaction of the page.
    """

    def __init__(self, file: Union[str, "os.PathLike[str]"]) -> None:
        """Opens a file, which is created if it does not exist."""
        # Without an isolation level, Python begins no transaction by itself.
        self.connection = sqlite3.connect(
            file, timeout=_BUSY_TIMEOUT_SECONDS, isolation_level=None, check_same_thread=False
        )
        self._lock = threading.RLock()
        self._prepared: Set[str] = set()
        # With a write-ahead log, others can read while a page is written. FULL: a commit survives a power failure.
        self.connection.execute("PRAGMA journal_mode = WAL")
        self.connection.execute("PRAGMA synchronous = FULL")
        self.connection.execute(
            f"CREATE TABLE IF NOT EXISTS {STATE_TABLE} (name TEXT PRIMARY KEY, value TEXT NOT NULL)"
        )

    def claim_workspace(self, company_id: int) -> None:
        with self._lock:
            self.connection.execute(
                f"INSERT INTO {STATE_TABLE} (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING",
                (WORKSPACE_STATE, str(company_id)),
            )
            stored = self._read_state(WORKSPACE_STATE)
        if stored != str(company_id):
            raise other_workspace(str(stored), company_id)

    def read_cursor(self, feed: Feed[Any]) -> Optional[str]:
        with self._lock:
            self._create_table(feed)
            return self._read_state(cursor_state(feed))

    def save_page(
        self,
        feed: Feed[Any],
        page: Page[Any],
        previous_cursor: Optional[str],
        handle: Optional[Callable[[sqlite3.Connection], object]] = None,
    ) -> None:
        with self._lock:
            self._create_table(feed)
            # Locks the file for writing before anything is read.
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                if self._read_state(cursor_state(feed)) != previous_cursor:
                    raise moved_cursor(feed)
                self._upsert(feed, page.data)
                if handle is not None:
                    self._run(handle)
                self.connection.execute(
                    f"INSERT OR REPLACE INTO {STATE_TABLE} (name, value) VALUES (?, ?)",
                    (cursor_state(feed), page.next_cursor),
                )
                self.connection.execute("COMMIT")
            except BaseException:
                # SQLite may have rolled back by itself, for example because the disk is full.
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")
                raise

    def close(self) -> None:
        with self._lock:
            self.connection.close()

    def __enter__(self) -> SqliteStore:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        self.close()

    def _read_state(self, name: str) -> Optional[str]:
        row: Optional[Tuple[str]] = self.connection.execute(
            f"SELECT value FROM {STATE_TABLE} WHERE name = ?", (name,)
        ).fetchone()
        return None if row is None else row[0]

    def _create_table(self, feed: Feed[Any]) -> None:
        """Creates the table of a feed, or adds the columns that a newer version of the API has."""
        if feed in self._prepared:
            return
        columns = FEED_COLUMNS[feed]
        definitions = [
            f'"{name}" {_SQLITE_TYPES[kind]}{" PRIMARY KEY" if field == "id" else ""}'
            for field, name, kind in columns
        ]
        self.connection.execute(f"CREATE TABLE IF NOT EXISTS {feed.table} ({', '.join(definitions)})")
        existing = {row[1] for row in self.connection.execute(f"PRAGMA table_info({feed.table})")}
        for (_, name, _), definition in zip(columns, definitions):
            if name not in existing:
                self.connection.execute(f"ALTER TABLE {feed.table} ADD COLUMN {definition}")
        self._prepared.add(feed)

    def _upsert(self, feed: Feed[Any], records: List[Mapping[str, Any]]) -> None:
        columns = FEED_COLUMNS[feed]
        names = [f'"{name}"' for _, name, _ in columns]
        self.connection.executemany(
            f"INSERT INTO {feed.table} ({', '.join(names)}) VALUES ({', '.join('?' for _ in names)}) "
            f"ON CONFLICT (id) DO UPDATE SET {', '.join(f'{name} = excluded.{name}' for name in names)}",
            ([_to_sqlite(record.get(field), kind) for field, _, kind in columns] for record in records),
        )

    def _run(self, handle: Callable[[sqlite3.Connection], object]) -> None:
        """Runs the handler of a page, and keeps it from ending the transaction.

        `with connection:` and `connection.commit()` are usual in Python. Here they would commit the rows without the cursor.
        """
        has_tried = False

        def refuse_to_end_transactions(action: int, *_details: object) -> int:
            nonlocal has_tried
            if action != sqlite3.SQLITE_TRANSACTION:
                return sqlite3.SQLITE_OK
            has_tried = True
            return sqlite3.SQLITE_DENY

        # Setting an authorizer also makes SQLite prepare statements again that were allowed before.
        self.connection.set_authorizer(refuse_to_end_transactions)
        try:
            handle(self.connection)
        except sqlite3.DatabaseError as error:
            if not has_tried:
                raise
            raise RuntimeError(
                "the handler of a page must neither commit nor roll back: its writes are committed with the cursor"
            ) from error
        finally:
            self.connection.set_authorizer(_allow)


def _allow(*_details: object) -> int:
    return sqlite3.SQLITE_OK


def _to_sqlite(value: Any, kind: str) -> Union[str, int, float, None]:
    """Converts a value of a record to what its column holds."""
    if value is None:
        return None
    if kind == "json":
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    if kind == "boolean":
        return int(value)
    converted: Union[str, int, float] = value
    return converted
