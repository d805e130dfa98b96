from __future__ import annotations

import random
import threading
import time
from typing import Callable, Optional, TypeVar

from .errors import ApiUnavailable
from .waiting import backoff_seconds, wait

T = TypeVar("T")


def repeat_until_done(
    send: Callable[[], T],
    *,
    stop: Optional[threading.Event],
    give_up_after_seconds: float,
    on_wait: Optional[Callable[[str, float], object]],
) -> Optional[T]:
    """Sends a request, and repeats it while the API is unavailable.

    It waits as long as `Retry-After` says, and without one longer after each failure.

    Args:
        give_up_after_seconds: How long the API may be unavailable.
        on_wait: Called before each wait, with what went wrong and the seconds.

    Returns:
        The result; None if the event is set.

    Raises:
        ApiRefusal: The API refuses the request for good.
        ApiUnavailable: It was unavailable for too long.
    """
    started_at = time.monotonic()
    failures = 0
    while stop is None or not stop.is_set():
        try:
            return send()
        except ApiUnavailable as problem:
            failures += 1
            seconds = problem.retry_after_seconds
            if seconds is None:
                seconds = backoff_seconds(failures, random.random())
            else:
                # A server that always asks for no wait at all must not be asked again and again without one.
                seconds = max(seconds, backoff_seconds(1, random.random()))
            if time.monotonic() + seconds - started_at > give_up_after_seconds:
                raise
            if on_wait is not None:
                on_wait(str(problem), seconds)
        wait(seconds, stop)
    return None
