from __future__ import annotations

from typing import Literal, Optional

WebhookProblem = Literal[
    # The request has no signature header, or the header is malformed.
    "SIGNATURE_MISSING",
    # The signature is valid, but its time is too far from the clock.
    "TIMESTAMP_OUT_OF_TOLERANCE",
    # No secret produces this signature: the secret or the body differs.
    "SIGNATURE_MISMATCH",
    # The signature is valid, but the body is not a delivery.
    "BODY_INVALID",
]


class ApiRefusal(Exception):
    """The API refused a request, and repeating it cannot help.

    Attributes:
        status: The HTTP status.
        code: The stable code of the API, such as `API_KEY_INVALID`; None if the response did not come from the API.
            field: The input that the API rejected, such as a query parameter; None if the error is not about one input.
        request_id: The `X-Request-Id` of the response, for the log of the service.
    """

    def __init__(
        self, message: str, *, status: int, code: Optional[str], field: Optional[str], request_id: Optional[str]
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.field = field
        self.request_id = request_id


class ApiUnavailable(Exception):
    """The API could not be reached, did not respond in time, or asked the client to repeat the request later.

    Attributes:
        status: The HTTP status; None without a response.
        code: The stable code of the API, such as `RATE_LIMITED`, if it sent one.
        request_id: The `X-Request-Id` of the response, for the log of the service.
            retry_after_seconds: How long the API asks to wait; None if it does not ask.
    """

    def __init__(
        self,
        message: str,
        *,
        status: Optional[int] = None,
        code: Optional[str] = None,
        request_id: Optional[str] = None,
        retry_after_seconds: Optional[float] = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.request_id = request_id
        self.retry_after_seconds = retry_after_seconds


class RecordTooDeep(Exception):
    """A record is nested too deeply for Python or the store.

    The API rejects such records when they are captured, so the record is from an earlier version or another server.

    Attributes:
        feed: The path that was read.
        record_id: The id of the record; None if it has none.
    """

    def __init__(self, message: str, *, feed: str, record_id: Optional[str]) -> None:
        super().__init__(message)
        self.feed = feed
        self.record_id = record_id


class StoreConflict(Exception):
    """Another program writes to the same store, or the store holds the data of another workspace."""


class WebhookError(Exception):
    """A delivery that cannot be trusted.

    Attributes:
            code: Why it cannot be trusted.
    """

    def __init__(self, code: WebhookProblem, message: str) -> None:
        super().__init__(message)
        self.code: WebhookProblem = code
