from __future__ import annotations

import datetime
import math
import threading
from typing import Any, Callable, Optional

from .client import Client
from .feed import Feed
from .feeds import START_PARAMETERS
from .follow import follow_feed
from .stores.store import Store


def skip_to_now(
    client: Client,
    feed: Feed[Any],
    store: Store[Any],
    *,
    stop: Optional[threading.Event] = None,
    give_up_after_seconds: float = math.inf,
    on_wait: Optional[Callable[[str, float], object]] = None,
) -> None:
    """Skips what a feed has now, so that `follow_feed` with the same store hands on only what is new.

    Does nothing if the store has a cursor of the feed: a program that starts again goes on where it was.

    Args:
        stop: Ends the skipping after the request in progress.
        give_up_after_seconds: How long the API may be unavailable before `ApiUnavailable` is raised. Default: for ever.
        on_wait: Called before each wait for the API, with what went wrong and the seconds.

    Raises:
        ApiRefusal: The API refuses a request for good.
        ApiUnavailable: The API was unavailable for longer than `give_up_after_seconds`.
    """
    if store.read_cursor(feed) is not None:
        return

    def follow_to_end(since: Optional[str]) -> None:
        follow_feed(
            client,
            feed,
            store,
            stop_at_end=True,
            query=None if since is None else {since: _now()},
            stop=stop,
            give_up_after_seconds=give_up_after_seconds,
            on_wait=on_wait,
        )

    since = START_PARAMETERS.get(feed)
    if since is not None:
        # The cursor that this leads to is ten minutes back at most, so that nothing is missed if clocks differ.
        follow_to_end(since)
    follow_to_end(None)


def _now() -> str:
    now = datetime.datetime.now(datetime.timezone.utc)
    return now.isoformat(timespec="milliseconds").replace("+00:00", "Z")
