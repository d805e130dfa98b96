from __future__ import annotations

import datetime
import email.utils
import re
import threading
import time
from typing import Optional

#: The longest wait between failed attempts, unless the API asks for a longer one.
_MAX_BACKOFF_SECONDS = 60.0
_FIRST_BACKOFF_SECONDS = 0.5
#: The longest `Retry-After` that is obeyed. The API asks for a minute at most; a longer time comes from an intermediary.
_MAX_RETRY_AFTER_SECONDS = 15 * 60.0


def retry_after_seconds(header: Optional[str], now: datetime.datetime) -> Optional[float]:
    """Parses a `Retry-After` header: seconds, also with a fraction as some servers send, or an HTTP date.

    Returns:
        Seconds from now, or None without a usable header.
    """
    text = (header or "").strip()
    if re.fullmatch(r"[0-9]+(?:\.[0-9]+)?", text):
        seconds = float(text)
    else:
        try:
            at = email.utils.parsedate_to_datetime(text)
        except (TypeError, ValueError):
            return None
        # A date without a time zone is in UTC.
        if at.tzinfo is None:
            at = at.replace(tzinfo=datetime.timezone.utc)
        seconds = (at - now).total_seconds()
    return min(max(0.0, seconds), _MAX_RETRY_AFTER_SECONDS)


def backoff_seconds(failures: int, random: float) -> float:
    """Returns how long to wait after a failed attempt: twice as long each time, up to a minute, minus up to a random half.

    The random part spreads the requests of clients that lost the API at the same moment.

    Args:
        failures: How many attempts have failed in a row, from 1.
        random: A number from 0 to 1.
    """
    ceiling = min(_FIRST_BACKOFF_SECONDS * 2 ** min(failures - 1, 20), _MAX_BACKOFF_SECONDS)
    return float(ceiling / 2 + ceiling / 2 * random)


def wait(seconds: float, stop: Optional[threading.Event]) -> None:
    """Waits. Returns early when the event is set."""
    if stop is None:
        time.sleep(seconds)
    else:
        stop.wait(seconds)
