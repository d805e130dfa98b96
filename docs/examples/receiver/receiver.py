import hashlib
import hmac
import json
import os
import re
import sqlite3
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRETS = [secret for secret in os.environ.get("WEBHOOK_SECRETS", "").split(",") if secret]
PORT = int(os.environ.get("PORT", "8080"))
TOLERANCE_SECONDS = 300
MAX_BODY_BYTES = 1024 * 1024
INBOX = "inbox.db"


def is_genuine(header, body):
    parts = [part.partition("=")[::2] for part in header.split(",")]
    t = next((value for name, value in parts if name == "t"), "")
    if not re.fullmatch("[0-9]{1,12}", t) or abs(time.time() - int(t)) > TOLERANCE_SECONDS:
        return False
    given = [value.encode() for name, value in parts if name == "v1"]
    for secret in SECRETS:
        expected = hmac.new(secret.encode(), t.encode() + b"." + body, hashlib.sha256).hexdigest()
        if any(hmac.compare_digest(mac, expected.encode()) for mac in given):
            return True
    return False


def store(envelope):
    """Returns whether the event is new. The primary key ignores an id that is already stored."""
    with sqlite3.connect(INBOX) as db:
        row = (envelope["id"], envelope["type"], json.dumps(envelope))
        return db.execute("INSERT OR IGNORE INTO inbox VALUES (?, ?, ?)", row).rowcount == 1


def work(envelope):
    """Runs after the response. Put slow work here."""
    if envelope["type"] == "decision_room.updated":
        print("a room has changed", envelope["data"])


class Receiver(BaseHTTPRequestHandler):
    timeout = 10  # close the connection after so many seconds without a byte

    def do_POST(self):
        length = int(self.headers.get("Content-Length", "0"))
        if not 0 <= length <= MAX_BODY_BYTES:
            return self.respond(413)
        body = self.rfile.read(length)
        if not is_genuine(self.headers.get("X-Service-Signature", ""), body):
            return self.respond(400)
        envelope = json.loads(body)
        is_new = store(envelope)
        self.respond(204)
        if is_new:
            work(envelope)

    def respond(self, status):
        self.send_response(status)
        self.end_headers()
        self.wfile.flush()


if not SECRETS:
    raise SystemExit("WEBHOOK_SECRETS: set at least one signing secret")
with sqlite3.connect(INBOX) as db:
    db.execute("CREATE TABLE IF NOT EXISTS inbox (id TEXT PRIMARY KEY, type TEXT, body TEXT)")
ThreadingHTTPServer(("", PORT), Receiver).serve_forever()
