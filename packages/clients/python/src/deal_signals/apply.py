from __future__ import annotations

from typing import Any, Callable, NamedTuple, Optional, Sequence, TypeVar, Union

from .errors import WebhookError
from .event_objects import EVENT_OBJECTS
from .feed import Feed
from .record_depth import explain_depth
from .stores.store import Applied, RowStore, SavedObject
from .webhooks import DEFAULT_TOLERANCE_SECONDS, Headers, WebhookEvent, verify_webhook

T = TypeVar("T")


class AppliedEvent(NamedTuple):
    """An event, and what the store did with it."""

    event: WebhookEvent
    applied: Applied


def apply_webhook(
    store: RowStore[T],
    raw_body: Union[bytes, bytearray, memoryview, str],
    headers: Headers,
    secret: Union[str, Sequence[str]],
    handle: Optional[Callable[[WebhookEvent, T], object]] = None,
    *,
    tolerance_seconds: float = DEFAULT_TOLERANCE_SECONDS,
    now: Optional[float] = None,
) -> AppliedEvent:
    """Verifies a delivery as `verify_webhook` does, and stores its object: see `apply_event`.

    Raises:
        WebhookError: The delivery must not be trusted: respond with 400. After any other error, respond with 500.
    """
    event = verify_webhook(raw_body, headers, secret, tolerance_seconds=tolerance_seconds, now=now)
    return AppliedEvent(event, apply_event(store, event, handle))


def apply_event(
    store: RowStore[T],
    event: WebhookEvent,
    handle: Optional[Callable[[WebhookEvent, T], object]] = None,
) -> Applied:
    """Stores the object of a verified event before its feed returns it. The feed will return it again.

    An event that was stored before is skipped, and a row of the same or a later version is kept. So deliveries may arrive in
    any order and more than once. An event about an erasure erases the data in the stored rows, and in rows that arrive later.

    Args:
            handle: Handles the event in the transaction that stores its object. Runs once per event, even if it is delivered
        again.

    Raises:
        RecordTooDeep: The object is nested too deeply to be stored.
        StoreConflict: The store holds another workspace.
    """
    saved = _to_saved_object(event)
    store.claim_workspace(event["companyId"])
    try:
        if handle is None:
            return store.save_event(event["id"], saved)
        handler = handle
        return store.save_event(event["id"], saved, lambda transaction: handler(event, transaction))
    except RecursionError as error:
        raise (error if saved is None else explain_depth(saved.feed, [saved.record], error)) from error


def _to_saved_object(event: WebhookEvent) -> Optional[SavedObject]:
    """Returns the object of an event and its feed; None if the event has no object."""
    data, recorded_at = event.get("data"), event.get("createdAt")
    if event["type"] not in EVENT_OBJECTS:
        return None
    feed, field = EVENT_OBJECTS[event["type"]]
    if field is None:
        return _checked(feed, data, recorded_at)
    return _checked(feed, data.get(field) if isinstance(data, dict) else None, recorded_at)


def _checked(feed: Feed[Any], record: object, recorded_at: Optional[str]) -> SavedObject:
    if not isinstance(record, dict) or not isinstance(record.get("id"), str):
        raise WebhookError("BODY_INVALID", "the delivery is signed, but its object has no id")
    return SavedObject(feed, record, recorded_at)
