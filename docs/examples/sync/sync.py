import http.client
import json
import os
import sqlite3
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

BASE_URL = os.environ["DEAL_SIGNALS_URL"]  # ends in /api/v1
API_KEY = os.environ["DEAL_SIGNALS_API_KEY"]
POLL_SECONDS = float(os.environ.get("POLL_SECONDS", "15"))
FEEDS = [
    "calls",
    "decision-rooms",
    "people",
    "documents",
    "esign-documents",
    "distributions",
    "engagement/events",
    "engagement/views",
]

db = sqlite3.connect("deal-signals.db")
db.execute("CREATE TABLE IF NOT EXISTS copy (feed TEXT, id TEXT, body TEXT, PRIMARY KEY (feed, id))")
db.execute("CREATE TABLE IF NOT EXISTS cursors (feed TEXT PRIMARY KEY, cursor TEXT)")


def get_page(feed, cursor):
    query = {"limit": 500} if cursor is None else {"limit": 500, "cursor": cursor}
    url = f"{BASE_URL}/{feed}?{urllib.parse.urlencode(query)}"
    request = urllib.request.Request(url, headers={"Authorization": f"Bearer {API_KEY}"})
    attempt = 0
    while True:
        attempt += 1
        wait_seconds = min(2**attempt, 60)
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            problem = f"{error.code} {error.read().decode()}"
            # Any other 4xx is a mistake in this program. Sending the request again cannot help.
            if error.code != 429 and error.code < 500:
                raise SystemExit(f"{feed}: {problem}")
            wait_seconds = int(error.headers.get("Retry-After", wait_seconds))
        except (OSError, http.client.HTTPException) as error:
            problem = f"no response ({error})"
        print(f"{feed}: {problem}; trying again in {wait_seconds} s", file=sys.stderr)
        time.sleep(wait_seconds)


def sync_feed(feed):
    stored = db.execute("SELECT cursor FROM cursors WHERE feed = ?", (feed,)).fetchone()
    cursor = stored[0] if stored else None
    while True:
        page = get_page(feed, cursor)
        cursor = page["nextCursor"]
        rows = [(feed, row["id"], json.dumps(row)) for row in page["data"]]
        with db:  # one transaction: the rows and the cursor become visible together
            db.executemany("INSERT OR REPLACE INTO copy VALUES (?, ?, ?)", rows)
            db.execute("INSERT OR REPLACE INTO cursors VALUES (?, ?)", (feed, cursor))
        if not page["hasMore"]:
            return


while True:
    for feed in FEEDS:
        sync_feed(feed)
    time.sleep(POLL_SECONDS)
