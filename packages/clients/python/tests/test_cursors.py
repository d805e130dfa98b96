from __future__ import annotations

import os
import sqlite3
import threading
from contextlib import contextmanager
from typing import Any, Iterator, Optional

from deal_signals import CursorFile, CursorStore, MemoryStore, StoreConflict
from deal_signals.feeds import CALLS, DECISION_ROOMS, ENGAGEMENT_EVENTS, FEEDS

from .pages import event, page_of
from .test_stores import TemporaryFolder


def fail(_transaction: Any, _page: Any = None) -> None:
    raise LookupError("no")


class InAFile(TemporaryFolder):
    def open(self) -> CursorStore[None]:
        return CursorStore(CursorFile(os.path.join(self.folder, "cursors.json")))

    def test_keeps_the_cursors_of_all_feeds_when_it_is_opened_again(self) -> None:
        store = self.open()
        self.assertIsNone(store.read_cursor(ENGAGEMENT_EVENTS))
        store.claim_workspace(1)
        store.save_page(ENGAGEMENT_EVENTS, page_of(event(1)), None)
        again = self.open()
        self.assertEqual((again.read_cursor(ENGAGEMENT_EVENTS), again.read_cursor(CALLS)), ("1", None))
        again.claim_workspace(1)
        with self.assertRaisesRegex(StoreConflict, "workspace 1"):
            again.claim_workspace(2)
        self.assertEqual(os.listdir(self.folder), ["cursors.json"])

    def test_does_not_move_the_cursor_if_the_handler_of_the_page_fails(self) -> None:
        for store in (self.open(), MemoryStore()):
            with self.assertRaises(LookupError):
                store.save_page(ENGAGEMENT_EVENTS, page_of(event(1)), None, fail)
            self.assertIsNone(store.read_cursor(ENGAGEMENT_EVENTS))

    def test_a_cursor_that_another_program_has_moved_is_a_conflict(self) -> None:
        self.open().save_page(ENGAGEMENT_EVENTS, page_of(event(1)), None)
        with self.assertRaises(StoreConflict):
            self.open().save_page(ENGAGEMENT_EVENTS, page_of(event(2)), None)
        self.assertEqual(self.open().read_cursor(ENGAGEMENT_EVENTS), "1")

    def test_rejects_a_damaged_file(self) -> None:
        for text in ('{"cursor of calls":"1"', "[1]", "null", '{"cursor of calls":1}'):
            with open(os.path.join(self.folder, "cursors.json"), "w", encoding="utf-8") as file:
                file.write(text)
            with self.subTest(text), self.assertRaisesRegex(StoreConflict, "is damaged"):
                self.open().read_cursor(CALLS)

    def test_several_threads_store_the_cursors_of_all_feeds_in_one_file(self) -> None:
        store = self.open()
        begin = threading.Barrier(len(FEEDS))

        def save(feed: Any) -> None:
            begin.wait()
            for number in range(5):
                store.save_page(feed, page_of(event(number + 1)), str(number) if number > 0 else None)

        threads = [threading.Thread(target=save, args=(feed,)) for feed in FEEDS]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual([store.read_cursor(feed) for feed in FEEDS], ["5"] * len(FEEDS))


class Database:
    """The cursors of a program that keeps rows in its own database."""

    def __init__(self) -> None:
        self.connection = sqlite3.connect(":memory:", isolation_level=None)
        self.connection.execute("CREATE TABLE my_cursors (name TEXT PRIMARY KEY, text TEXT)")
        self.connection.execute("CREATE TABLE my_rows (id TEXT)")

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        self.connection.execute("BEGIN")
        try:
            yield self.connection
            self.connection.execute("COMMIT")
        except BaseException:
            self.connection.execute("ROLLBACK")
            raise

    def read(self, name: str, transaction: sqlite3.Connection) -> Optional[str]:
        row = transaction.execute("SELECT text FROM my_cursors WHERE name = ?", (name,)).fetchone()
        return None if row is None else str(row[0])

    def write(self, name: str, text: str, transaction: sqlite3.Connection) -> None:
        transaction.execute("INSERT OR REPLACE INTO my_cursors VALUES (?, ?)", (name, text))


class InADatabase(TemporaryFolder):
    def test_commits_cursors_together_with_the_rows_of_the_caller_or_neither(self) -> None:
        database = Database()
        self.addCleanup(database.connection.close)
        store = CursorStore(database)

        def insert(connection: sqlite3.Connection, _page: Any = None) -> None:
            connection.execute("INSERT INTO my_rows VALUES ('x')")

        def insert_and_fail(connection: sqlite3.Connection, _page: Any = None) -> None:
            insert(connection)
            fail(connection)

        def count() -> Any:
            return database.connection.execute("SELECT count(*) FROM my_rows").fetchone()[0]

        store.save_page(DECISION_ROOMS, page_of(event(1)), None, insert)
        with self.assertRaises(LookupError):
            store.save_page(DECISION_ROOMS, page_of(event(2)), "1", insert_and_fail)
        self.assertEqual((store.read_cursor(DECISION_ROOMS), count()), ("1", 1))
        store.save_page(DECISION_ROOMS, page_of(event(2)), "1", insert)
        self.assertEqual((store.read_cursor(DECISION_ROOMS), count()), ("2", 2))
