from __future__ import annotations

import json
import os
import sqlite3
import sys
import tempfile
import unittest
from collections import Counter
from types import FrameType
from typing import Any, Callable, List, Optional, Tuple

import httpx

import deal_signals.stores.file_store
import deal_signals.follow
import deal_signals.stores.replace_file
import deal_signals.stores.sqlite_store
from deal_signals import Client, FileStore, Page, SqliteStore, follow_feed
from deal_signals.feeds import ENGAGEMENT_EVENTS
from deal_signals.types import EngagementEvent

from .pages import event

#: The modules that decide what is stored and when.
MODULES = (
    deal_signals.follow,
    deal_signals.stores.sqlite_store,
    deal_signals.stores.file_store,
    deal_signals.stores.replace_file,
)
FILES = {module.__file__ for module in MODULES}
EVENTS = 4
CRASHED = 9


def respond(request: httpx.Request) -> httpx.Response:
    """A feed of a few events, in pages of two."""
    after = int(request.url.params.get("cursor", "0"))
    ids = range(after + 1, min(after + 3, EVENTS + 1))
    page = {"data": [event(one) for one in ids], "nextCursor": str(max(ids, default=after)), "hasMore": after + 2 < EVENTS}
    return httpx.Response(200, json=page)


def crash_at_line(line: int) -> None:
    """Ends this process abruptly at the nth executed line of these modules."""
    executed = 0
    times: Counter[Tuple[str, int]] = Counter()

    def trace(frame: FrameType, kind: str, _argument: Any) -> Optional[Callable[..., Any]]:
        nonlocal executed
        # Frames inside a statement, such as a comprehension, are not traced.
        if frame.f_code.co_filename not in FILES or frame.f_code.co_name.startswith("<"):
            return None
        if kind == "line":
            place = (frame.f_code.co_filename, frame.f_lineno)
            times[place] += 1
            # Each line for each of the two pages; of a loop, two rounds.
            executed += times[place] <= 2
            if executed >= line:
                os._exit(CRASHED)
        return trace

    sys.settrace(trace)


@unittest.skipUnless(hasattr(os, "fork"), "this system cannot fork processes")
class Crash(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def ends(self, run: Callable[[str], None], name: str, line: int) -> bool:
        """Runs a function in a process that crashes at a line. Returns whether it finished before that line."""
        child = os.fork()
        if child == 0:
            status = 1
            try:
                crash_at_line(line)
                run(name)
                status = 0
            finally:
                # Skips the cleanup of the test, which the parent does.
                os._exit(status)
        _, status = os.waitpid(child, 0)
        code = os.WEXITSTATUS(status)
        self.assertIn(code, (0, CRASHED))
        return code == 0

    def crash_everywhere(self, run: Callable[[str], None], check: Callable[[str], None]) -> None:
        line = 0
        ended = False
        while not ended:
            line += 1
            name = os.path.join(self.folder, str(line))
            ended = self.ends(run, name, line)
            run(name)
            check(name)
        # If tracing were broken, there would be no lines to crash at.
        self.assertGreater(line, 50)

    def test_handles_each_event_exactly_once_after_a_crash_at_any_line(self) -> None:
        def run(file: str) -> None:
            def on_page(page: Page[EngagementEvent], connection: sqlite3.Connection) -> None:
                connection.executemany("INSERT INTO handled VALUES (?)", [(one["id"],) for one in page.data])

            with Client("http://api/api/v1", "key", transport=httpx.MockTransport(respond)) as client:
                with SqliteStore(file) as store:
                    # Avoids waiting for the disk in thousands of commits. Only processes crash here, not the machine.
                    store.connection.execute("PRAGMA synchronous = OFF")
                    store.connection.execute("CREATE TABLE IF NOT EXISTS handled (event_id INTEGER)")
                    follow_feed(client, ENGAGEMENT_EVENTS, store, on_page, stop_at_end=True)

        def check(file: str) -> None:
            connection = sqlite3.connect(file)
            for table in ("handled ORDER BY event_id", "engagement_events"):
                rows = connection.execute(f"SELECT * FROM {table}").fetchall()
                self.assertEqual([row[0] for row in rows], list(range(1, EVENTS + 1)))
            connection.close()

        self.crash_everywhere(run, check)

    def test_leaves_no_gaps_partial_records_or_duplicates_in_files(self) -> None:
        def run(folder: str) -> None:
            with Client("http://api/api/v1", "key", transport=httpx.MockTransport(respond)) as client:
                with FileStore(folder) as store:
                    follow_feed(client, ENGAGEMENT_EVENTS, store, stop_at_end=True)

        def check(folder: str) -> None:
            with open(os.path.join(folder, "engagement_events.ndjson"), encoding="utf-8") as file:
                ids: List[str] = [json.loads(line)["id"] for line in file]
            self.assertEqual(ids, [str(one) for one in range(1, EVENTS + 1)])

        self.crash_everywhere(run, check)
