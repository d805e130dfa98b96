from __future__ import annotations

import math
import threading
from typing import Any, Callable, Dict, List, Mapping, Optional, TypeVar, cast

from .client import Client
from .feed import Feed, Page
from .record_depth import explain_depth
from .repeat import Repeats, repeat
from .stores.store import Store
from .waiting import wait

R = TypeVar("R")
T = TypeVar("T")


def follow_feed(
    client: Client,
    feed: Feed[R],
    store: Store[T],
    on_page: Optional[Callable[[Page[R], T], object]] = None,
    *,
    stop_at_end: bool = False,
    poll_seconds: float = 15.0,
    limit: int = 500,
    query: Optional[Mapping[str, str]] = None,
    stop: Optional[threading.Event] = None,
    give_up_after_seconds: float = math.inf,
    on_wait: Optional[Callable[[str, float], object]] = None,
) -> None:
    """Reads a feed from the stored cursor, or from its beginning, to its end; then polls it until `stop` is set.

    The cursor is committed together with the rows of its page. So the program can be killed at any moment: after a restart, it
    continues with the first page that was not stored. `on_page` never receives a page whose cursor is stored.

    Args:
        feed: One of `deal_signals.feeds`.
        store: Keeps the rows and the cursor.
            on_page: Handles each page that has records, as the store keeps it. It runs before the cursor is stored. If it
        raises, the
                page is not stored and the exception is passed on. Writes through its second argument are committed together
        with the
                cursor, so they happen exactly once. Other effects are repeated if the program crashes before that commit.
        stop_at_end: Return at the end of the feed, instead of polling for more.
        poll_seconds: The pause between polls at the end of the feed.
        limit: Records of a page: 1 to 500.
            query: Further parameters of the feed, such as `{"types": "trailer_view"}`. Do not change them once a cursor is
        stored:
                records that were filtered out before are not returned later.
            stop: Ends the loop after the request or the page in progress. The function then returns normally.
            give_up_after_seconds: How long the API may be unavailable before `ApiUnavailable` is raised. Default: no limit.
            on_wait: Called before each wait for the API, with the error and the seconds.

    Raises:
            ApiRefusal: The API refused a request permanently, for example because the key was revoked.
        ApiUnavailable: The API was unavailable for longer than `give_up_after_seconds`.
        RecordTooDeep: A record is nested too deeply for Python or the store.
        StoreConflict: Another program follows the same feed with the same store.
    """
    cursor = store.read_cursor(feed)
    repeats = Repeats(attempts=None, give_up_after_seconds=give_up_after_seconds)
    while True:
        page = repeat(
            lambda: client.read_page_once(feed, cursor=cursor, limit=limit, query=query),
            repeats,
            stop=stop,
            on_wait=on_wait,
        )
        if page is None or (stop is not None and stop.is_set()):
            return
        # The cursor of an empty page is also stored: it marks where the feed began, or how far the API has searched.
        if page.data or cursor is None or page.has_more:
            try:
                store.save_page(feed, page, cursor, _handler(on_page) if page.data else None)
            except RecursionError as error:
                raise explain_depth(feed, cast(List[Dict[str, Any]], page.data), error) from error
            cursor = page.next_cursor
        if page.has_more:
            continue
        if stop_at_end:
            return
        wait(poll_seconds, stop)


def _handler(
    on_page: Optional[Callable[[Page[R], T], object]],
) -> Optional[Callable[[T, Page[R]], object]]:
    if on_page is None:
        return None
    handle = on_page
    return lambda transaction, page: handle(page, transaction)
