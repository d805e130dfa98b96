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
    """Skips the existing records of a feed, so that `follow_feed` with the same store returns only new ones.

    Does nothing if the store has a cursor of the feed: after a restart, the program continues where it stopped.

    Args:
            stop: Stops after the request in progress.
            give_up_after_seconds: How long the API may be unavailable before `ApiUnavailable` is raised. Default: no limit.
            on_wait: Called before each wait for the API, with the error and the seconds.

    Raises:
            ApiRefusal: The API refused a request permanently.
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
        # The resulting cursor is at most ten minutes old, so that nothing is missed if the clocks differ.
        follow_to_end(since)
    follow_to_end(None)


def _now() -> str:
    now = datetime.datetime.now(datetime.timezone.utc)
    return now.isoformat(timespec="milliseconds").replace("+00:00", "Z")
