from __future__ import annotations

import json
import os
import sqlite3
import threading
import time
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Sequence, Set, Tuple, Type, Union, cast

from ..feed import Feed, Page
from ..feeds import ERASURES
from ..types import Erasure
from .erasing import ERASED_FEEDS, clear_page, list_clearings, missing_since
from .store import Applied, SavedObject, WORKSPACE_STATE, cursor_state, moved_cursor, other_workspace
from .tables import EVENTS_KEPT_MS, EVENTS_TABLE, STATE_TABLE, Table, feed_table, reject_foreign, table_state, validate_prefix

#: How long a statement waits for another program that writes to the file.
_BUSY_TIMEOUT_SECONDS = 30
#: How long a checkpoint of the write-ahead log waits. A reader that takes longer delays it until a later commit.
_LOG_TIMEOUT_SECONDS = 1

#: SQLite has no types for dates and JSON. They are text, in the format of the API. Booleans are 0 and 1.
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
    """A store in a SQLite file, with one table for each feed. `deal-signals sync` of the npm package creates the same tables.

    It rejects tables that it did not create. Several threads can follow different feeds with one store; their pages are stored
    one after the other. Erased data is overwritten in the file, and removed from the write-ahead log as soon as no other
    program reads the file.

    Attributes:
        connection: The connection to the file, for tables of your own. The handler of a page gets the same one, inside the
            transaction of the page.
    """

    def __init__(
        self, file: Union[str, "os.PathLike[str]"], *, prefix: str = "", feeds: Sequence[Feed[Any]] = ()
    ) -> None:
        """Opens a file, which is created if it does not exist.

        Args:
                prefix: The prefix of each table name: lower-case letters, digits and underscores, 20 at most.
                feeds: The feeds whose tables are created at once, all or none. Others are created when their feed is first
            read.

        Raises:
                ValueError: The prefix is not valid in a table name.
                StoreConflict: One of the tables exists and was not created by a store. Nothing is written then.
        """
        self._prefix = validate_prefix(prefix)
        self._state_table = prefix + STATE_TABLE
        self._events_table = prefix + EVENTS_TABLE
        # Without an isolation level, Python does not begin transactions by itself.
        self.connection = sqlite3.connect(
            file, timeout=_BUSY_TIMEOUT_SECONDS, isolation_level=None, check_same_thread=False
        )
        self._lock = threading.RLock()
        self._prepared: Set[str] = set()
        self._is_writable = False
        #: For each feed, the latest `erasedAt` that the store contained when reading its next page began.
        self._known_at: Dict[str, Optional[str]] = {}
        #: Whether the write-ahead log may still contain erased bytes. True at first, because an earlier process may have left
        #: some.
        self._is_log_stale = True
        # A commit survives a power failure.
        self.connection.execute("PRAGMA synchronous = FULL")
        # Overwrites deleted and replaced content with zeros, so that erased data does not stay in free pages of the file.
        self.connection.execute("PRAGMA secure_delete = ON")
        try:
            self._prepare(*feeds)
        except BaseException:
            self.connection.close()
            raise

    def claim_workspace(self, company_id: int) -> None:
        with self._lock:
            self._begin_to_write()
            self.connection.execute(
                f"INSERT INTO {self._state_table} (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING",
                (WORKSPACE_STATE, str(company_id)),
            )
            stored = self._read_state(WORKSPACE_STATE)
        if stored != str(company_id):
            raise other_workspace(str(stored), company_id)

    def read_cursor(self, feed: Feed[Any]) -> Optional[str]:
        with self._lock:
            self._prepare(feed)
            self._mark_read_start(feed)
            return self._read_state(cursor_state(feed))

    def save_page(
        self,
        feed: Feed[Any],
        page: Page[Any],
        previous_cursor: Optional[str],
        handle: Optional[Callable[[sqlite3.Connection, Page[Any]], object]] = None,
    ) -> None:
        with self._lock:
            self._prepare(feed)
            with self._transaction():
                if self._read_state(cursor_state(feed)) != previous_cursor:
                    raise moved_cursor(feed)
                stored = clear_page(feed, page, self._erasures_since(feed, missing_since(self._known_at.get(feed))))
                self._upsert(feed, stored.data, "true")
                if feed == ERASURES:
                    self._erase(stored.data)
                if handle is not None:
                    handle_page = handle
                    self._run(lambda connection: handle_page(connection, stored))
                self._write_state(cursor_state(feed), page.next_cursor)
            self._mark_read_start(feed)
            self._empty_log()

    def save_event(
        self,
        event_id: str,
        saved: Optional[SavedObject],
        handle: Optional[Callable[[sqlite3.Connection], object]] = None,
    ) -> Applied:
        with self._lock:
            self._begin_to_write()
            self._prepare(*([] if saved is None else [saved.feed]))
            with self._transaction():
                now = time.time_ns() // 1_000_000
                noted = self.connection.execute(
                    f"INSERT INTO {self._events_table} (id, stored_at) VALUES (?, ?) ON CONFLICT (id) DO NOTHING",
                    (event_id, now),
                )
                if noted.rowcount == 0:
                    return "repeated"
                self.connection.execute(
                    f"DELETE FROM {self._events_table} WHERE stored_at < ?", (now - EVENTS_KEPT_MS,)
                )
                applied: Applied = "ignored"
                if saved is not None:
                    applied = "written" if self._save_object(saved) > 0 else "kept"
                    if saved.feed == ERASURES:
                        self._erase([saved.record])
                if handle is not None:
                    self._run(handle)
            self._empty_log()
            return applied

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
            f"SELECT value FROM {self._state_table} WHERE name = ?", (name,)
        ).fetchone()
        return None if row is None else row[0]

    def _write_state(self, name: str, value: str) -> None:
        self.connection.execute(
            f"INSERT OR REPLACE INTO {self._state_table} (name, value) VALUES (?, ?)", (name, value)
        )

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        # Acquires the write lock before anything is read.
        self.connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.connection.execute("COMMIT")
        except BaseException:
            # SQLite may already have rolled back, for example because the disk is full.
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")
            raise

    def _begin_to_write(self) -> None:
        """Creates the tables that hold the state of the store."""
        if self._is_writable:
            return
        # With a write-ahead log, other programs can read during a write. The mode is stored in the file.
        self.connection.execute("PRAGMA journal_mode = WAL")
        with self._transaction():
            self.connection.execute(
                f"CREATE TABLE IF NOT EXISTS {self._state_table} (name TEXT PRIMARY KEY, value TEXT NOT NULL)"
            )
            self.connection.execute(
                f"CREATE TABLE IF NOT EXISTS {self._events_table} (id TEXT PRIMARY KEY, stored_at INTEGER NOT NULL)"
            )
        self._is_writable = True

    def _prepare(self, *feeds: Feed[Any]) -> None:
        """Creates the tables of feeds, or adds the columns and indexes of a newer version of the API."""
        tables = [feed_table(self._prefix, feed) for feed in feeds if feed not in self._prepared]
        if not tables:
            return
        self._reject_foreign(tables)
        self._begin_to_write()
        with self._transaction():
            # Another program may have created them since the check.
            existing = self._reject_foreign(tables)
            for table in tables:
                self._make(table, table.name in existing)
                self._write_state(table_state(table.name), "ours")
        self._prepared.update(feeds)

    def _reject_foreign(self, tables: Sequence[Table]) -> Set[str]:
        """Rejects foreign tables. Returns the existing names in lower case, because SQLite ignores case."""
        existing = self._names("SELECT lower(name) FROM sqlite_master")
        has_state = self._state_table in existing
        own = self._names(f"SELECT name FROM {self._state_table}") if has_state else set()
        reject_foreign([one.name for one in tables if table_state(one.name) not in own], existing)
        return existing

    def _make(self, table: Table, exists: bool) -> None:
        definitions = {
            name: f'"{name}" {_SQLITE_TYPES[kind]}{" PRIMARY KEY" if field == "id" else ""}'
            for field, name, kind in table.columns
        }
        if exists:
            present = self._names(f"SELECT name FROM pragma_table_info('{table.name}')")
            for name, definition in definitions.items():
                if name not in present:
                    self.connection.execute(f"ALTER TABLE {table.name} ADD COLUMN {definition}")
        else:
            self.connection.execute(f"CREATE TABLE {table.name} ({', '.join(definitions.values())})")
        for index, column in table.indexes:
            self.connection.execute(f'CREATE INDEX IF NOT EXISTS {index} ON {table.name} ("{column}")')

    def _names(self, sql: str) -> Set[str]:
        return {row[0] for row in self.connection.execute(sql)}

    def _upsert(self, feed: Feed[Any], records: Sequence[Mapping[str, Any]], replaces_if: str) -> int:
        """Inserts rows, or replaces rows with the same id if a condition is true. Returns the number of rows written."""
        table = feed_table(self._prefix, feed)
        names = [f'"{name}"' for _, name, _ in table.columns]
        return self.connection.executemany(
            f"INSERT INTO {table.name} ({', '.join(names)}) VALUES ({', '.join('?' for _ in names)}) ON CONFLICT (id) "
            f"DO UPDATE SET {', '.join(f'{name} = excluded.{name}' for name in names)} WHERE {replaces_if}",
            ([_to_sqlite(record.get(field), kind) for field, _, kind in table.columns] for record in records),
        ).rowcount

    def _save_object(self, saved: SavedObject) -> int:
        """Stores the object of an event, unless the stored row is as new or newer. Returns the number of rows written."""
        page = clear_page(
            saved.feed, Page([saved.record], "", False), self._erasures_since(saved.feed, saved.recorded_at)
        )
        table = feed_table(self._prefix, saved.feed)
        # Rows without a version never change.
        is_newer = f"excluded.{table.version} > {table.name}.{table.version}" if table.version else "false"
        return self._upsert(saved.feed, page.data, is_newer)

    def _has_erasures(self) -> bool:
        return self._read_state(table_state(feed_table(self._prefix, ERASURES).name)) is not None

    def _erasures_since(self, feed: Feed[Any], since: Optional[str]) -> List[Erasure]:
        """Returns the stored erasures that rows of a feed may lack: those since a given time, or all of them."""
        if feed not in ERASED_FEEDS or not self._has_erasures():
            return []
        table = feed_table(self._prefix, ERASURES)
        rows = self.connection.execute(
            f"SELECT {', '.join(name for _, name, _ in table.columns)} FROM {table.name} WHERE erased_at >= ? "
            "ORDER BY erased_at",
            (since or "",),
        )
        erasures = []
        for row in rows:
            fields = {
                field: json.loads(value) if kind == "json" and value is not None else value
                for (field, _, kind), value in zip(table.columns, row)
            }
            erasures.append(cast(Erasure, fields))
        return erasures

    def _mark_read_start(self, feed: Feed[Any]) -> None:
        """Records which erasures are known when reading the next page of a feed begins."""
        if feed not in ERASED_FEEDS:
            return
        latest: Optional[str] = None
        if self._has_erasures():
            table = feed_table(self._prefix, ERASURES)
            latest = self.connection.execute(f"SELECT max(erased_at) FROM {table.name}").fetchone()[0]
        self._known_at[feed] = latest

    def _empty_log(self) -> None:
        """Removes erased data from the write-ahead log, which contains old pages of the file."""
        if not self._is_log_stale:
            return
        try:
            self.connection.execute(f"PRAGMA busy_timeout = {_LOG_TIMEOUT_SECONDS * 1_000}")
            busy = self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
            self._is_log_stale = busy != 0
        except sqlite3.OperationalError:
            pass  # The page is stored. The log is emptied after a later commit, or when the last program closes the file.
        finally:
            self.connection.execute(f"PRAGMA busy_timeout = {_BUSY_TIMEOUT_SECONDS * 1_000}")

    def _erase(self, erasures: Sequence[Any]) -> None:
        """Applies erasures to the rows in the tables of the store."""
        self._is_log_stale = True
        own = self._names(f"SELECT name FROM {self._state_table}")
        for clearing in (one for erasure in erasures for one in list_clearings(erasure)):
            table = feed_table(self._prefix, clearing.feed)
            if table_state(table.name) not in own:
                continue
            column_of = {field: (name, kind) for field, name, kind in table.columns}
            changed = [(*column_of[field], value) for field, value in clearing.changes.items()]
            conditions = [f'"{column_of[clearing.field][0]}" IN (SELECT value FROM json_each(?))']
            if clearing.until is not None:
                conditions.append("updated_at <= ?")
            if clearing.before is not None:
                conditions.append("CAST(id AS INTEGER) < CAST(? AS INTEGER)")
            bounds = [bound for bound in (clearing.until, clearing.before) if bound is not None]
            self.connection.execute(
                f"UPDATE {table.name} SET {', '.join(f'{chr(34)}{name}{chr(34)} = ?' for name, _, _ in changed)} "
                f"WHERE {' AND '.join(conditions)}",
                [*(_to_sqlite(value, kind) for _, kind, value in changed), json.dumps(list(clearing.values)), *bounds],
            )

    def _run(self, handle: Callable[[sqlite3.Connection], object]) -> None:
        """Runs the handler of a page, and prevents it from ending the transaction.

        `with connection:` and `connection.commit()` are common in Python. Here they would commit the rows without the cursor.
        """
        has_tried = False

        def refuse_to_end_transactions(action: int, *_details: object) -> int:
            nonlocal has_tried
            if action != sqlite3.SQLITE_TRANSACTION:
                return sqlite3.SQLITE_OK
            has_tried = True
            return sqlite3.SQLITE_DENY

        # Setting an authorizer also makes SQLite prepare again the statements that were allowed before.
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
    """Converts a field of a record to the value of its column."""
    if value is None:
        return None
    if kind == "json":
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    if kind == "boolean":
        return int(value)
    converted: Union[str, int, float] = value
    return converted
