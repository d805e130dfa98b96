"""Follows all feeds into a SQLite file, and notes every record that its handler gets in the transaction of its page.

Usage: follow.py FILE (backfill | follow), with PAGE_SIZE, CRASH_IN_PAGE and STOP_WHEN_REFUSED in the environment.
"""

import json
import os
import signal
import sqlite3
import sys
import threading
from typing import Any

from deal_signals import Client, Feed, Page, SqliteStore, follow_feed
from deal_signals.feeds import DATA_FEEDS

file, mode = sys.argv[1:]
page_size = int(os.environ.get("PAGE_SIZE", "500"))
crash_in_page = int(os.environ.get("CRASH_IN_PAGE", "0"))
stop = threading.Event()
pages = 0


def follow(client: Client, store: SqliteStore, feed: Feed[Any]) -> None:
    def on_page(page: Page[Any], connection: sqlite3.Connection) -> None:
        global pages
        rows = [(str(feed), record["id"]) for record in page.data]
        connection.executemany("INSERT INTO handled VALUES (?, ?)", rows)
        pages += 1
        if pages == crash_in_page:
            os.kill(os.getpid(), signal.SIGKILL)

    def on_wait(problem: str, seconds: float) -> None:
        print(json.dumps({"problem": problem, "seconds": seconds}), flush=True)
        if "STOP_WHEN_REFUSED" in os.environ:
            stop.set()

    follow_feed(
        client,
        feed,
        store,
        on_page,
        stop_at_end=mode == "backfill",
        poll_seconds=1.0,
        limit=page_size,
        stop=stop,
        on_wait=on_wait,
    )


with Client() as client, SqliteStore(file) as store:
    store.claim_workspace(client.get_status()["company"]["id"])
    store.connection.execute("CREATE TABLE IF NOT EXISTS handled (feed TEXT, id TEXT)")
    if mode == "backfill":
        for feed in DATA_FEEDS:
            follow(client, store, feed)
    else:
        signal.signal(signal.SIGINT, lambda *_: stop.set())
        threads = [threading.Thread(target=follow, args=(client, store, feed)) for feed in DATA_FEEDS]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
