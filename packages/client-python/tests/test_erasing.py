from __future__ import annotations

import json
import os
import tempfile
import unittest
from pathlib import Path
from typing import Any, Callable, Dict, List

from deal_signals import FileStore, Page, SqliteStore, apply_event
from deal_signals.feed import Feed
from deal_signals.feeds import CALLS, ERASURES, PEOPLE

#: The TypeScript client has to agree on these.
CASES = json.loads(
    (Path(__file__).parents[2] / "client/test/stores/erase-cases.json").read_text(encoding="utf-8")
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
                    # The store goes on where the files end now.
                    save(store, PEOPLE, {"id": "p9"})
                with FileStore(self.folder):
                    self.assertEqual(self.file_rows("people")[-1], {"id": "p9"})

    def test_a_crash_between_the_state_and_the_files_is_made_good_when_the_folder_is_opened(self) -> None:
        row = CASES[0]["before"]["people"][0]
        file, state = Path(self.folder, "people.ndjson"), Path(self.folder, "state.json")
        with FileStore(self.folder) as store:
            save(store, PEOPLE, row)
            old = file.read_bytes()
            save(store, ERASURES, {**ERASURE, "personIds": [row["id"]]})
        # As if it had crashed before it replaced the file.
        os.replace(file, f"{file}.erased")
        file.write_bytes(old)
        state.write_text(json.dumps({**json.loads(state.read_text()), "replacing": ["people"]}))
        with FileStore(self.folder):
            self.assertIsNone(self.file_rows("people")[0]["name"])
        self.assertFalse(os.path.exists(f"{file}.erased"))
        self.assertNotIn("replacing", state.read_text())

    def test_what_an_erasure_replaces_is_gone_from_the_files_as_soon_as_its_feed_has_brought_it(self) -> None:
        with FileStore(self.folder) as store:
            save(store, CALLS, {"id": "c1", "title": "For Bob"})
            save(store, ERASURES, ERASURE)
            save(store, CALLS, {"id": "c1", "title": "For [erased]"})
            self.assertEqual(self.file_rows("calls"), [{"id": "c1", "title": "For [erased]"}])
            # Afterwards, lines are appended again.
            save(store, CALLS, {"id": "c1", "title": "again"})
            self.assertEqual(len(self.file_rows("calls")), 2)
