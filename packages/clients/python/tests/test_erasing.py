from __future__ import annotations

import json
import os
import tempfile
import unittest
from pathlib import Path
from typing import Any, Callable, Dict, List

from deal_signals import FileStore, Page, SqliteStore, apply_event
from deal_signals.feed import Feed
from deal_signals.feeds import CALLS, ENGAGEMENT_EVENTS, ERASURES, PEOPLE

#: The TypeScript client runs the same cases.
CASES = json.loads(
    (Path(__file__).parents[2] / "typescript/test/stores/erase-cases.json").read_text(encoding="utf-8")
)["cases"]

ERASURE: Dict[str, Any] = {
    "id": "e1",
    "erasureId": "e1",
    "kind": "person",
    "buyerSpaceId": None,
    "emailSha256": None,
    "personIds": [],
    "distributionIds": [],
    "engagementEventIds": [],
    "engagementViewIds": [],
    "engagementBefore": None,
    "erasedAt": "2026-09-02T00:00:00.000Z",
}


def save(store: Any, feed: Feed[Any], *records: Any) -> None:
    store.save_page(feed, Page(list(records), "next", False), store.read_cursor(feed))


class Erasing(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def expect(self, after: Dict[str, List[Dict[str, Any]]], read: Callable[[str], List[Dict[str, Any]]]) -> None:
        for feed, expected in after.items():
            found = {row["id"]: row for row in read(feed)}
            self.assertEqual(
                [{name: found[fields["id"]].get(name) for name in fields} for fields in expected], expected
            )

    def sqlite_rows(self, store: SqliteStore, feed: str) -> List[Dict[str, Any]]:
        cursor = store.connection.execute(f"SELECT * FROM {Feed(feed).table}")
        names = [column[0] for column in cursor.description]
        rows = []
        for values in cursor.fetchall():
            row = dict(zip(names, values))
            for name in ("actor", "metadata", "recipient"):
                if row.get(name) is not None:
                    row[name] = json.loads(row[name])
            row["id"] = str(row["id"])
            rows.append({self.field_of(name): value for name, value in row.items()})
        return rows

    @staticmethod
    def field_of(column: str) -> str:
        first, *rest = column.split("_")
        return first + "".join(word.capitalize() for word in rest)

    def file_rows(self, feed: str) -> List[Dict[str, Any]]:
        text = Path(self.folder, f"{Feed(feed).table}.ndjson").read_text(encoding="utf-8")
        return [json.loads(line) for line in text.splitlines()]

    def test_the_shared_cases_in_sqlite(self) -> None:
        for case in CASES:
            erasure = {**ERASURE, **case["erasure"]}
            for arrives in ("by the feed", "by a webhook"):
                with self.subTest(case["name"], arrives=arrives), SqliteStore(":memory:") as store:
                    for feed, rows in case["before"].items():
                        save(store, Feed(feed), *rows)
                    if arrives == "by the feed":
                        save(store, ERASURES, erasure)
                    else:
                        event: Any = {"id": "1", "type": f"{erasure['kind']}.erased", "companyId": 1, "data": erasure}
                        self.assertEqual(apply_event(store, event), "written")
                    self.expect(case["after"], lambda feed, store=store: self.sqlite_rows(store, feed))  # type: ignore[misc]

    def test_the_shared_cases_in_files(self) -> None:
        for case in CASES:
            with self.subTest(case["name"]), tempfile.TemporaryDirectory() as self.folder:
                with FileStore(self.folder) as store:
                    for feed, rows in case["before"].items():
                        save(store, Feed(feed), *({**row, "name": "a line that is replaced"} for row in rows))
                        save(store, Feed(feed), *rows)
                    save(store, ERASURES, {**ERASURE, **case["erasure"]})
                    self.expect(case["after"], self.file_rows)
                    for feed, rows in case["before"].items():
                        self.assertEqual(len(self.file_rows(feed)), len(rows))
                    # The store continues where the files end now.
                    save(store, PEOPLE, {"id": "p9"})
                with FileStore(self.folder):
                    self.assertEqual(self.file_rows("people")[-1], {"id": "p9"})

    def open(self, kind: str) -> Any:
        return FileStore(self.folder) if kind == "files" else SqliteStore(Path(self.folder, "copy.db"))

    def rows(self, store: Any, feed: str) -> List[Dict[str, Any]]:
        return self.sqlite_rows(store, feed) if isinstance(store, SqliteStore) else self.file_rows(feed)

    def test_stores_a_page_that_was_read_before_an_erasure_without_the_erased_data(self) -> None:
        for kind in ("SQLite", "files"):
            for case in CASES:
                with self.subTest(case["name"], kind=kind), tempfile.TemporaryDirectory() as self.folder:
                    with self.open(kind) as store:
                        for feed in case["before"]:
                            self.assertIsNone(store.read_cursor(Feed(feed)))
                        save(store, ERASURES, {**ERASURE, **case["erasure"]})
                        handled: Dict[str, Any] = {}
                        for feed, rows in case["before"].items():

                            def handle(_transaction: Any, page: Page[Any], feed: str = feed) -> None:
                                handled[feed] = page.data

                            store.save_page(Feed(feed), Page(rows, "next", False), None, handle)
                        self.expect(case["after"], lambda feed, store=store: self.rows(store, feed))  # type: ignore[misc]
                        self.expect(case["after"], lambda feed, handled=handled: handled[feed])  # type: ignore[misc]

    def test_stores_a_page_from_a_lagging_replica_without_the_erased_data(self) -> None:
        for kind in ("SQLite", "files"):
            with self.subTest(kind), tempfile.TemporaryDirectory() as self.folder, self.open(kind) as store:
                save(store, ENGAGEMENT_EVENTS, {"id": "1", "personId": "p2", "actor": {"name": "Eve", "email": None}})
                save(store, ERASURES, {**ERASURE, "personIds": ["p1"]})
                for number in ("2", "3"):
                    bob = {"id": number, "personId": "p1", "actor": {"name": "Bob", "email": None}}
                    save(store, ENGAGEMENT_EVENTS, bob)
                names = [row["actor"]["name"] for row in self.rows(store, "engagement/events")]
                self.assertEqual(names, ["Eve", None, None])

    def test_one_program_erases_while_another_with_the_same_file_has_read_a_page(self) -> None:
        file = Path(self.folder, "copy.db")
        with SqliteStore(file) as follower, SqliteStore(file) as receiver:
            follower.read_cursor(ENGAGEMENT_EVENTS)
            event: Any = {"id": "1", "type": "person.erased", "companyId": 1, "data": {**ERASURE, "personIds": ["p1"]}}
            apply_event(receiver, event)
            save(follower, ENGAGEMENT_EVENTS, {"id": "1", "personId": "p1", "actor": {"name": "Bob", "email": None}})
            self.assertIsNone(self.sqlite_rows(follower, "engagement/events")[0]["actor"]["name"])

    def test_stores_a_webhook_that_arrives_after_an_erasure_without_the_erased_data(self) -> None:
        with SqliteStore(Path(self.folder, "copy.db")) as store:
            room = {"buyerSpaceId": "r1", "engagementBefore": "900719925474099312"}
            save(store, ERASURES, {**ERASURE, **room})
            for number, recorded_at in (("1", "2026-09-01T23:59:59.000Z"), ("2", "2026-09-02T00:00:01.000Z")):
                data = {"id": f"90071992547409931{number}", "buyerSpaceId": "r1", "metadata": {"said": "Bob"}}
                about = {"type": "engagement.recorded", "companyId": 1, "createdAt": recorded_at}
                event: Any = {"id": number, **about, "data": data}
                apply_event(store, event)
            rows = {row["id"]: row["metadata"] for row in self.sqlite_rows(store, "engagement/events")}
            self.assertEqual(rows, {"900719925474099311": {}, "900719925474099312": {"said": "Bob"}})

    def occurrences(self, name: str) -> Dict[str, int]:
        """Counts how often a name occurs in the bytes of each file of the folder."""
        return {path.name: path.read_bytes().count(name.encode()) for path in Path(self.folder).iterdir()}

    def test_the_bytes_of_a_sqlite_file_contain_no_erased_data(self) -> None:
        name = "Zoe Quistgaard"
        file = Path(self.folder, "copy.db")
        erasure = {**ERASURE, "personIds": ["p1"], "engagementEventIds": [str(number) for number in range(2_000)]}
        with SqliteStore(file) as store, SqliteStore(file) as reader:
            for first in range(0, 2_000, 500):
                # Rows of many sizes split and free pages of the file.
                save(
                    store,
                    ENGAGEMENT_EVENTS,
                    *(
                        {
                            "id": str(first + number),
                            "personId": "p1" if number % 3 else "p2",
                            "actor": {"name": name if number % 3 else "Eve", "email": None},
                            "metadata": {"text": f"{'x' * (number * 37 % 6_000)} {name}"} if number % 3 else {},
                        }
                        for number in range(500)
                    ),
                )
            save(store, PEOPLE, {"id": "p1", "name": name, "updatedAt": "2026-09-01T00:00:00.000Z"})
            # A concurrent reader prevents the log from being emptied.
            reader.connection.execute("BEGIN")
            reader.connection.execute("SELECT count(*) FROM people").fetchone()
            save(store, ERASURES, erasure)
            self.assertGreater(self.occurrences(name)["copy.db-wal"], 0)
            reader.connection.execute("COMMIT")
            save(store, CALLS, {"id": "c1"})
            self.assertEqual(set(self.occurrences(name).values()), {0})
            save(store, PEOPLE, {"id": "p1", "name": name, "updatedAt": "2026-09-01T00:00:00.000Z"})
            save(store, ERASURES, {**erasure, "id": "e2", "erasedAt": "2026-09-03T00:00:00.000Z"})
            self.assertEqual(set(self.occurrences(name).values()), {0})

    def test_opening_the_folder_repairs_a_crash_between_the_state_and_the_files(self) -> None:
        row = CASES[0]["before"]["people"][0]
        file, state = Path(self.folder, "people.ndjson"), Path(self.folder, "state.json")
        with FileStore(self.folder) as store:
            save(store, PEOPLE, row)
            old = file.read_bytes()
            save(store, ERASURES, {**ERASURE, "personIds": [row["id"]]})
        # Simulates a crash before the file was replaced.
        os.replace(file, f"{file}.erased")
        file.write_bytes(old)
        state.write_text(json.dumps({**json.loads(state.read_text()), "replacing": ["people"]}))
        with FileStore(self.folder):
            self.assertIsNone(self.file_rows("people")[0]["name"])
        self.assertFalse(os.path.exists(f"{file}.erased"))
        self.assertNotIn("replacing", state.read_text())

    def test_the_files_lose_the_old_lines_of_an_erasure_as_soon_as_the_feed_returns_the_changed_records(self) -> None:
        with FileStore(self.folder) as store:
            save(store, CALLS, {"id": "c1", "title": "For Bob"})
            save(store, ERASURES, ERASURE)
            save(store, CALLS, {"id": "c1", "title": "For [erased]"})
            self.assertEqual(self.file_rows("calls"), [{"id": "c1", "title": "For [erased]"}])
            # Afterwards, lines are appended again.
            save(store, CALLS, {"id": "c1", "title": "again"})
            self.assertEqual(len(self.file_rows("calls")), 2)
