"""The consumers' kit of the Deal Signals Integration API.

`Client` has a typed call for every operation of the API. `follow_feed` reads a feed, and resumes after a crash without a gap.
`verify_webhook` and `WebhookReceiver` take in webhooks. The types of the API's objects are in `deal_signals.types`, the feeds
in `deal_signals.feeds`.
"""

from .client import Client
from .errors import ApiRefusal, ApiUnavailable, StoreConflict, WebhookError
from .feed import Feed, Page
from .file_store import FileStore
from .follow import follow_feed
from .memory_store import MemoryStore
from .receiver import EventMemory, RecentEvents, WebhookReceiver
from .sqlite_store import SqliteStore
from .store import Store
from .webhooks import WebhookEvent, verify_webhook

__all__ = [
    "ApiRefusal",
    "ApiUnavailable",
    "Client",
    "EventMemory",
    "Feed",
    "FileStore",
    "MemoryStore",
    "Page",
    "RecentEvents",
    "SqliteStore",
    "Store",
    "StoreConflict",
    "WebhookError",
    "WebhookEvent",
    "WebhookReceiver",
    "follow_feed",
    "verify_webhook",
]
