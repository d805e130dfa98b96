"""The consumers' kit of the Deal Signals Integration API.

`Client` has a typed call for every operation of the API. `follow_feed` reads a feed, and resumes after a crash without a gap;
`skip_to_now` starts a feed at its end. `verify_webhook` and `WebhookReceiver` receive webhooks, and `apply_webhook` stores
their objects. The types of the API's objects are in `deal_signals.types`, the feeds in `deal_signals.feeds`.
"""

from .apply import AppliedEvent, apply_event, apply_webhook
from .client import Client
from .stores.cursor_file import CursorFile
from .stores.cursor_store import CursorStore, Cursors
from .errors import ApiRefusal, ApiUnavailable, RecordTooDeep, StoreConflict, WebhookError
from .feed import Feed, Page
from .stores.file_store import FileStore
from .follow import follow_feed
from .stores.memory_store import MemoryStore
from .receiver import EventMemory, RecentEvents, WebhookReceiver
from .repeat import Repeats
from .skip_to_now import skip_to_now
from .stores.sqlite_store import SqliteStore
from .stores.store import Applied, RowStore, SavedObject, Store
from .webhooks import WebhookEvent, verify_webhook

__all__ = [
    "ApiRefusal",
    "ApiUnavailable",
    "Applied",
    "AppliedEvent",
    "Client",
    "CursorFile",
    "CursorStore",
    "Cursors",
    "EventMemory",
    "Feed",
    "FileStore",
    "MemoryStore",
    "Page",
    "RecentEvents",
    "RecordTooDeep",
    "Repeats",
    "RowStore",
    "SavedObject",
    "SqliteStore",
    "Store",
    "StoreConflict",
    "WebhookError",
    "WebhookEvent",
    "WebhookReceiver",
    "apply_event",
    "apply_webhook",
    "follow_feed",
    "skip_to_now",
    "verify_webhook",
]
