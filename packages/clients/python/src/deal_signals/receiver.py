from __future__ import annotations

import concurrent.futures
import logging
import threading
from collections import OrderedDict
from typing import Callable, Dict, Optional, Protocol, Sequence, Union

from .errors import WebhookError
from .webhooks import DEFAULT_TOLERANCE_SECONDS, Headers, WebhookEvent, verify_webhook

_DEFAULT_SIZE = 10_000

_logger = logging.getLogger("deal_signals")


class EventMemory(Protocol):
    """Remembers which events were handled, so that a delivery that arrives twice is handled once.

    Keep it in your database if you run several processes, or if handling an event twice after a restart does harm.
    """

    def has(self, event_id: str) -> bool:
        """Whether the event was handled."""

    def add(self, event_id: str) -> object:
        """Records that the event was handled."""


class RecentEvents:
    """Remembers the latest events in this process, until the process ends."""

    def __init__(self, size: int = _DEFAULT_SIZE) -> None:
        self._size = size
        self._ids: "OrderedDict[str, None]" = OrderedDict()

    def has(self, event_id: str) -> bool:
        return event_id in self._ids

    def add(self, event_id: str) -> None:
        self._ids[event_id] = None
        if len(self._ids) > self._size:
            self._ids.popitem(last=False)


class WebhookReceiver:
    """Receives deliveries in any web framework. It verifies them, and skips events that were handled before.

    Several threads can use one receiver.
    """

    def __init__(
        self,
        secret: Union[str, Sequence[str]],
        on_event: Callable[[WebhookEvent], object],
        *,
        memory: Optional[EventMemory] = None,
        tolerance_seconds: float = DEFAULT_TOLERANCE_SECONDS,
        on_problem: Optional[Callable[[BaseException], object]] = None,
    ) -> None:
        """Creates a receiver.

        Args:
            secret: The signing secret of the endpoint, or several while you rotate it.
            on_event: Handles an event. The sender waits 10 seconds for the response, so store the event and do slow work later.
                If it raises, the response is a 500 and the delivery is sent again.
                memory: The events that were already handled. Default: the latest 10,000, in this process.
            tolerance_seconds: How far the time of a signature may be from the clock.
                on_problem: Called when a delivery is rejected or cannot be handled. Default: writes to the logger
            `deal_signals`.
        """
        self._secret = secret
        self._on_event = on_event
        self._memory: EventMemory = RecentEvents() if memory is None else memory
        self._tolerance_seconds = tolerance_seconds
        self._on_problem = _log if on_problem is None else on_problem
        self._in_progress: Dict[str, "concurrent.futures.Future[None]"] = {}
        self._lock = threading.Lock()

    def receive(self, raw_body: Union[bytes, bytearray, memoryview], headers: Headers) -> int:
        """Handles one delivery and returns the status of the response: 204, 400 or 500.

        A delivery that arrives while its event is still being handled waits for the result. If it were acknowledged at once and
        the handler then failed, the event could be lost.
        """
        try:
            event = verify_webhook(
                raw_body, headers, self._secret, tolerance_seconds=self._tolerance_seconds
            )
            self._handle_once(event)
            return 204
        except Exception as error:
            self._on_problem(error)
            return 400 if isinstance(error, WebhookError) else 500

    def _handle_once(self, event: WebhookEvent) -> None:
        with self._lock:
            other = self._in_progress.get(event["id"])
            if other is None:
                own: "concurrent.futures.Future[None]" = concurrent.futures.Future()
                self._in_progress[event["id"]] = own
        if other is not None:
            other.result()
            return
        try:
            if not self._memory.has(event["id"]):
                self._on_event(event)
                self._memory.add(event["id"])
            own.set_result(None)
        except BaseException as error:
            own.set_exception(error)
            raise
        finally:
            with self._lock:
                del self._in_progress[event["id"]]


def _log(error: BaseException) -> None:
    if isinstance(error, WebhookError):
        _logger.warning("delivery rejected: %s (%s)", error, error.code)
    else:
        _logger.error("delivery not handled", exc_info=error)
