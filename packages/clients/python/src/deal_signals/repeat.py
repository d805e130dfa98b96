from __future__ import annotations

import random
import threading
import time
from dataclasses import dataclass
from typing import Callable, Optional, TypeVar

from .errors import ApiUnavailable
from .waiting import backoff_seconds, wait

T = TypeVar("T")


@dataclass(frozen=True)
class Repeats:
    """How often and for how long a failed call is repeated.

    Attributes:
            attempts: Maximum number of attempts; None: no maximum.
            give_up_after_seconds: How long after the first attempt another one may start. A 429 asks for a wait of 60 at most.
    """

    attempts: Optional[int] = 5
    give_up_after_seconds: float = 90.0


def repeat(
    send: Callable[[], T],
    repeats: Repeats,
    *,
    stop: Optional[threading.Event] = None,
    on_wait: Optional[Callable[[str, float], object]] = None,
) -> Optional[T]:
    """Sends a request, and repeats it while the API is unavailable.

    It waits as long as `Retry-After` asks. Without that header, each wait is longer than the one before.

    Args:
            on_wait: Called before each wait, with the error and the seconds.

    Returns:
            The result; None if `stop` was set.

    Raises:
            ApiRefusal: The API refused the request permanently.
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
                # Waits even if the server asks for no wait, to avoid a busy loop.
                seconds = max(seconds, backoff_seconds(1, random.random()))
            is_last = repeats.attempts is not None and failures >= repeats.attempts
            if is_last or time.monotonic() + seconds - started_at > repeats.give_up_after_seconds:
                raise
            if on_wait is not None:
                on_wait(str(problem), seconds)
        wait(seconds, stop)
    return None
