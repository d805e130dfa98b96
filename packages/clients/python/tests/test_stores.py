from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path
from typing import Any, Dict, List, Optional

from deal_signals import FileStore, MemoryStore, Page, SqliteStore, StoreConflict
from deal_signals.feeds import CALLS, DATA_FEEDS, DECISION_ROOMS, ENGAGEMENT_EVENTS, PEOPLE

from .pages import event, page_of, room


CASES = Path(__file__).parents[2] / "typescript/test/stores/file-store-cases.json"


def put(path: Path, content: Optional[str]) -> None:
    """Writes a file; None removes it."""
    if content is not None:
        path.write_bytes(content.encode())
    elif path.exists():
        path.unlink()


def text_of(path: Path) -> Optional[str]:
    """Returns the content of a file; None if it does not exist."""
    return path.read_bytes().decode() if path.exists() else None


class TemporaryFolder(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name


class InSqlite(TemporaryFolder):
    def setUp(self) -> None:
        super().setUp()
        self.file = os.path.join(self.folder, "copy.db")
        self.store = self.open()

    def open(self) -> SqliteStore:
        store = SqliteStore(self.file)
        self.addCleanup(store.close)
        return store

    def rows(self, sql: str) -> List[Any]:
        return self.store.connection.execute(sql).fetchall()

    def test_stores_every_field_in_a_column_of_its_type(self) -> None:
        self.store.save_page(ENGAGEMENT_EVENTS, page_of(event(1_000_000_000_000)), None)
        self.assertEqual(
            self.rows("SELECT id, type, occurred_at, demo_title, forwarded_from_distribution_id FROM engagement_events"),
            [(1_000_000_000_000, "room_visit", "2026-09-01T12:00:00.000Z", None, None)],
        )
        [(metadata, actor)] = self.rows("SELECT metadata, actor FROM engagement_events")
        self.assertEqual(json.loads(metadata), event(1)["metadata"])
        self.assertEqual(actor, '{"name":"Bob","email":null}')
        call = {"id": "c", "hasSummary": True, "durationSeconds": 60, "participants": []}
        self.store.save_page(CALLS, page_of(call), None)
        columns = "has_summary, duration_seconds, participants, title"
        self.assertEqual(self.rows(f"SELECT {columns} FROM calls"), [(1, 60, "[]", None)])

    def test_replaces_a_row_with_the_same_id_also_with_large_numbers(self) -> None:
        self.store.save_page(DECISION_ROOMS, Page([room("open")], "a", False), None)
        self.store.save_page(DECISION_ROOMS, Page([room("won")], "b", False), "a")
        self.assertEqual(
            self.rows("SELECT status, deal_value_cents FROM decision_rooms"), [("won", 9_007_199_254_740_991)]
        )

    def test_keeps_the_cursor_and_the_rows_when_it_is_opened_again(self) -> None:
        self.store.save_page(ENGAGEMENT_EVENTS, page_of(event(1), event(2)), None)
        self.store.close()
        self.store = self.open()
        self.assertEqual(self.store.read_cursor(ENGAGEMENT_EVENTS), "2")
        self.assertEqual(self.rows("SELECT id FROM engagement_events"), [(1,), (2,)])

    def test_commits_the_writes_of_the_handler_together_with_the_page_or_neither(self) -> None:
        self.store.connection.execute("CREATE TABLE handled (event_id INTEGER)")

        def insert(connection: sqlite3.Connection, _page: Any = None) -> None:
            connection.execute("INSERT INTO handled VALUES (1)")

        def insert_and_fail(connection: sqlite3.Connection, _page: Any = None) -> None:
            connection.execute("INSERT INTO handled VALUES (2)")
            raise LookupError("no")

        self.store.save_page(ENGAGEMENT_EVENTS, page_of(event(1)), None, insert)
        with self.assertRaises(LookupError):
            self.store.save_page(ENGAGEMENT_EVENTS, page_of(event(2)), "1", insert_and_fail)
        self.assertEqual(self.rows("SELECT event_id FROM handled"), [(1,)])
        self.assertEqual(self.rows("SELECT id FROM engagement_events"), [(1,)])
        self.assertEqual(self.store.read_cursor(ENGAGEMENT_EVENTS), "1")

    def test_stops_a_handler_before_it_commits(self) -> None:
        self.store.connection.execute("CREATE TABLE handled (event_id INTEGER)")

        def with_block(connection: sqlite3.Connection, _page: Any = None) -> None:
            with connection:
                connection.execute("INSERT INTO handled VALUES (1)")

        def statement(connection: sqlite3.Connection, _page: Any = None) -> None:
            connection.execute("INSERT INTO handled VALUES (1)")
            connection.execute("COMMIT")

        def script(connection: sqlite3.Connection, _page: Any = None) -> None:
            connection.executescript("INSERT INTO handled VALUES (1); COMMIT; BEGIN")

        # A statement that was allowed before, so that Python and SQLite have it in their caches.
        self.store.save_page(DECISION_ROOMS, page_of(room("open")), None)
        for handle in (with_block, statement, script):
            with self.subTest(handle.__name__):
                with self.assertRaisesRegex(RuntimeError, "must neither commit nor roll back"):
                    self.store.save_page(ENGAGEMENT_EVENTS, page_of(event(1)), None, handle)
                self.assertEqual(self.rows("SELECT * FROM handled"), [])
                self.assertEqual(self.rows("SELECT * FROM engagement_events"), [])
        self.store.save_page(ENGAGEMENT_EVENTS, page_of(event(1)), None)

    def test_keeps_a_database_error_of_a_handler_unchanged(self) -> None:
        with self.assertRaises(sqlite3.OperationalError):
            self.store.save_page(
                ENGAGEMENT_EVENTS, page_of(event(1)), None, lambda connection, _page: connection.execute("SELECT nonsense")
            )

    def test_several_threads_store_the_pages_of_several_feeds(self) -> None:
        def save(feed: Any, record: Any) -> None:
            cursor: Optional[str] = None
            for number in range(20):
                self.store.save_page(feed, Page([record], str(number), True), cursor)
                cursor = str(number)

        threads = [
            threading.Thread(target=save, args=(ENGAGEMENT_EVENTS, event(1))),
            threading.Thread(target=save, args=(DECISION_ROOMS, room("open"))),
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        cursors = [self.store.read_cursor(feed) for feed in (ENGAGEMENT_EVENTS, DECISION_ROOMS)]
        self.assertEqual(cursors, ["19", "19"])

    def test_adds_the_columns_of_a_newer_version_of_the_api_and_keeps_those_of_the_owner(self) -> None:
        self.store.claim_workspace(1)
        for statement in (
            "CREATE TABLE engagement_events (id INTEGER PRIMARY KEY, my_note TEXT)",
            "INSERT INTO engagement_events VALUES (1, 'mine')",
            "INSERT INTO deal_signals_state VALUES ('table engagement_events', 'ours')",
        ):
            self.store.connection.execute(statement)
        self.store.save_page(ENGAGEMENT_EVENTS, page_of(event(1)), None)
        self.assertEqual(self.rows("SELECT type, my_note FROM engagement_events"), [("room_visit", "mine")])

    def test_another_program_that_moves_the_cursor_is_a_conflict_and_its_rows_stay(self) -> None:
        self.assertIsNone(self.store.read_cursor(ENGAGEMENT_EVENTS))
        self.open().save_page(ENGAGEMENT_EVENTS, page_of(event(1)), None)
        with self.assertRaises(StoreConflict):
            self.store.save_page(ENGAGEMENT_EVENTS, page_of(event(1, type="stale")), None)
        self.assertEqual(self.rows("SELECT type FROM engagement_events"), [("room_visit",)])


class BesideOtherTables(TemporaryFolder):
    def setUp(self) -> None:
        super().setUp()
        self.file = os.path.join(self.folder, "mine.db")
        self.mine = sqlite3.connect(self.file, isolation_level=None)
        self.addCleanup(self.mine.close)
        self.mine.execute("CREATE TABLE People (id TEXT, salary INTEGER)")

    def tables(self) -> List[str]:
        return [name for (name,) in self.mine.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]

    def test_a_foreign_table_is_rejected_before_anything_is_written(self) -> None:
        with self.assertRaisesRegex(StoreConflict, "the table people already exists and was not created by deal-signals"):
            SqliteStore(self.file, feeds=DATA_FEEDS)
        with SqliteStore(self.file) as store:
            with self.assertRaisesRegex(StoreConflict, "nothing was written"):
                store.save_page(PEOPLE, Page([{"id": "p"}], "1", False), None)
        self.assertEqual(self.tables(), ["People"])
        self.assertEqual(self.mine.execute("PRAGMA journal_mode").fetchone(), ("delete",))
        self.assertEqual(len(self.mine.execute("PRAGMA table_info(People)").fetchall()), 2)

    def test_a_prefix_keeps_two_copies_apart(self) -> None:
        for prefix, status in (("a_", "open"), ("b_", "won")):
            with SqliteStore(self.file, prefix=prefix, feeds=[DECISION_ROOMS]) as store:
                store.claim_workspace(1 if prefix == "a_" else 2)
                store.save_page(DECISION_ROOMS, page_of(room(status)), None)
        rows = "SELECT a.status, b.status FROM a_decision_rooms a JOIN b_decision_rooms b USING (id)"
        self.assertEqual(self.mine.execute(rows).fetchall(), [("open", "won")])
        own = ["decision_rooms", "deal_signals_events", "deal_signals_state"]
        self.assertEqual(self.tables(), sorted(["People", *(p + name for p in ("a_", "b_") for name in own)]))
        with self.assertRaisesRegex(ValueError, "a prefix has lower-case letters"):
            SqliteStore(self.file, prefix="a-b")

    def test_a_copy_has_the_indexes_that_joins_need(self) -> None:
        with SqliteStore(self.file, feeds=[DECISION_ROOMS, CALLS]):
            indexes = self.mine.execute("SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL ORDER BY name")
            self.assertEqual(
                [name for (name,) in indexes],
                ["calls_by_buyer_space_id", "calls_by_updated_at", "decision_rooms_by_last_activity_at"],
            )


class InFiles(TemporaryFolder):
    def setUp(self) -> None:
        super().setUp()
        self.folder = os.path.join(self.folder, "new", "copy")
        self.store = FileStore(self.folder)
        self.addCleanup(lambda: self.store.close())
        self.file = os.path.join(self.folder, "engagement_events.ndjson")

    def reopen(self) -> None:
        self.store.close()
        self.store = FileStore(self.folder)

    def ids(self) -> List[str]:
        with open(self.file, encoding="utf-8") as file:
            return [json.loads(line)["id"] for line in file]

    def test_appends_records_unchanged_and_keeps_the_cursor(self) -> None:
        self.store.save_page(ENGAGEMENT_EVENTS, page_of(event(1), event(2)), None)
        self.store.save_page(ENGAGEMENT_EVENTS, page_of(event(3)), "2")
        self.reopen()
        self.assertEqual(self.store.read_cursor(ENGAGEMENT_EVENTS), "3")
        self.assertEqual(self.ids(), ["1", "2", "3"])
        with open(self.file, encoding="utf-8") as file:
            self.assertEqual(json.loads(file.readline()), event(1))

    def test_the_shared_cases(self) -> None:
        cases = json.loads(CASES.read_text(encoding="utf-8"))["cases"]
        self.assertGreater(len(cases), 10)
        for number, case in enumerate(cases):
            with self.subTest(case["name"]):
                self.find(Path(self.folder, "found", str(number)), case)

    def find(self, folder: Path, case: Dict[str, Any]) -> None:
        """Opens a folder in a given state, and saves a page in it."""
        folder.mkdir(parents=True)
        file, state, lock = folder / "engagement_events.ndjson", folder / "state.json", folder / "lock"
        for path, content in ((state, case["state"]), (file, case["file"]), (lock, case.get("lock"))):
            put(path, content)
        kept = case["file"]
        try:
            with FileStore(folder) as store:
                cursor = store.read_cursor(ENGAGEMENT_EVENTS)
                kept = text_of(file)
                self.assertEqual({"file": kept, "cursor": cursor}, case.get("opened"))
                if "whileOpen" in case:
                    kept = case["whileOpen"]
                    put(file, kept)
                store.save_page(ENGAGEMENT_EVENTS, page_of({"id": "2"}), cursor)
            self.assertEqual(text_of(file), case.get("saved"))
            self.assertNotIn("refused", case)
        except StoreConflict as error:
            self.assertIn(case.get("refused", "no conflict"), str(error))
            self.assertEqual((text_of(file), text_of(state)), (kept, case["state"]))
        # Neither a rejected folder nor a closed store leaves a lock behind.
        self.assertFalse(lock.exists())

    def test_stores_nothing_if_the_handler_of_the_page_fails(self) -> None:
        def fail(_transaction: None, _page: Any) -> None:
            raise LookupError("no")

        self.store.save_page(ENGAGEMENT_EVENTS, page_of(event(1)), None)
        with self.assertRaises(LookupError):
            self.store.save_page(ENGAGEMENT_EVENTS, page_of(event(2)), "1", fail)
        self.reopen()
        self.assertEqual(self.store.read_cursor(ENGAGEMENT_EVENTS), "1")
        self.store.save_page(ENGAGEMENT_EVENTS, page_of(event(2)), "1")
        self.assertEqual(self.ids(), ["1", "2"])

    def test_a_page_that_was_read_with_another_cursor_is_a_conflict(self) -> None:
        self.store.save_page(ENGAGEMENT_EVENTS, page_of(event(1)), None)
        with self.assertRaises(StoreConflict):
            self.store.save_page(ENGAGEMENT_EVENTS, page_of(event(1)), None)
        self.assertEqual(self.ids(), ["1"])

    def test_a_folder_that_a_running_program_has_open_is_a_conflict(self) -> None:
        with open(os.path.join(self.folder, "lock"), "w", encoding="utf-8") as file:
            file.write(str(os.getppid()))
        with self.assertRaisesRegex(StoreConflict, f"is in use by the process {os.getppid()}"):
            FileStore(self.folder)

    def test_replaces_the_lock_of_a_program_that_has_ended_without_removing_it(self) -> None:
        ended = subprocess.Popen([sys.executable, "-c", ""])
        ended.wait()
        lock = os.path.join(self.folder, "lock")
        with open(lock, "w", encoding="utf-8") as file:
            file.write(str(ended.pid))
        self.store = FileStore(self.folder)
        with open(lock, encoding="utf-8") as file:
            self.assertEqual(file.read(), str(os.getpid()))
        self.store.close()
        self.assertFalse(os.path.exists(lock))


class Workspaces(TemporaryFolder):
    def test_a_store_belongs_to_one_workspace(self) -> None:
        with SqliteStore(os.path.join(self.folder, "copy.db")) as sqlite, FileStore(self.folder) as files:
            for store in (sqlite, files, MemoryStore()):
                with self.subTest(type(store).__name__):
                    store.claim_workspace(1)
                    store.claim_workspace(1)
                    with self.assertRaisesRegex(
                        StoreConflict,
                        "the store holds the data of workspace 1, but the API key belongs to workspace 2",
                    ):
                        store.claim_workspace(2)
