from __future__ import annotations

import datetime
import json
import os
import re
import time
from types import TracebackType
from typing import Any, Callable, Dict, Mapping, Optional, Tuple, Type, TypeVar

import httpx

from .errors import ApiRefusal, ApiUnavailable, RecordTooDeep
from .feed import Feed, Page
from .operations import Operations
from .record_depth import deepest_record
from .repeat import Repeats, repeat
from .waiting import retry_after_seconds

R = TypeVar("R")
T = TypeVar("T")

_DEFAULT_TIMEOUT_SECONDS = 60.0


class Client(Operations):
    """Typed calls of every operation that reads with an API key: `client.get_call(id)["title"]`.
A call that fails temporarily is repeated: after a 429 or 503 once `Retry-After` has passed, and with growing waits after other
5xx responses and broken connections. Redirects are not followed. In the end, a call raises `ApiRefusal` if sending it again
cannot help, and `ApiUnavailable` otherwise.

    Connections are reused, also by several threads.
    """

    def __init__(
        self,
        url: Optional[str] = None,
        api_key: Optional[str] = None,
        *,
        timeout_seconds: float = _DEFAULT_TIMEOUT_SECONDS,
        repeats: Optional[Repeats] = Repeats(),
        transport: Optional[httpx.BaseTransport] = None,
    ) -> None:
        """Creates a client.

        Args:
                url: The base URL, which ends in `/api/v1`. The path is added if missing. Default: the environment variable
            `DEAL_SIGNALS_URL`.
            api_key: An API key of the workspace. Default: the environment variable `DEAL_SIGNALS_API_KEY`.
            timeout_seconds: Time for one attempt, including its body.
                repeats: How often and for how long a failed call is repeated. None disables repeats.
                transport: Sends the requests, for example through a proxy. Default: the transport of httpx.

        Raises:
                ValueError: The URL or the key is missing or malformed.
        """
        given = url or os.environ.get("DEAL_SIGNALS_URL")
        if not given:
            raise ValueError("the URL of the API is missing: set DEAL_SIGNALS_URL")
        self._url = parse_base_url(given)
        key = _validate_key(api_key or os.environ.get("DEAL_SIGNALS_API_KEY"))
        self._timeout_seconds = timeout_seconds
        self._repeats = repeats
        self._http = httpx.Client(
            headers={"Authorization": f"Bearer {key}", "Accept": "application/json"},
            timeout=timeout_seconds,
            transport=transport,
            # Redirects are not followed: no operation of the API redirects, so another server would receive the key.
            follow_redirects=False,
        )

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        self.close()

    def read_page(
        self,
        feed: Feed[R],
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        query: Optional[Mapping[str, object]] = None,
    ) -> Page[R]:
        """Reads a page of a feed.

        Args:
            cursor: The `next_cursor` of an earlier page; None for the beginning of the feed.
            limit: Maximum number of records: 1 to 500.
            query: Further parameters of the feed.
        """
        return self._repeating(lambda: self.read_page_once(feed, cursor=cursor, limit=limit, query=query))

    def read_page_once(
        self,
        feed: Feed[R],
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        query: Optional[Mapping[str, object]] = None,
    ) -> Page[R]:
        """Reads a page of a feed as `read_page` does, but sends the request only once. For callers that wait by themselves."""
        parameters = {**(query or {}), "limit": limit, "cursor": cursor}
        body = self._read_once(f"/{feed}", parameters, ("data", list))
        next_cursor, has_more = body.get("nextCursor"), body.get("hasMore")
        if not isinstance(next_cursor, str) or not isinstance(has_more, bool):
            raise _other_server(f"{self._url}/{feed}", 200)
        return Page(body["data"], next_cursor, has_more)

    def _read(self, path: str, query: Mapping[str, object], expected: Tuple[str, type]) -> Dict[str, Any]:
        return self._repeating(lambda: self._read_once(path, query, expected))

    def _repeating(self, send: Callable[[], T]) -> T:
        if self._repeats is None:
            return send()
        result = repeat(send, self._repeats)
        assert result is not None, "no stop event was passed"
        return result

    def _read_once(self, path: str, query: Mapping[str, object], expected: Tuple[str, type]) -> Dict[str, Any]:
        name = path[1:]
        deadline = time.monotonic() + self._timeout_seconds
        parameters: Dict[str, Any] = {key: value for key, value in query.items() if value is not None}
        try:
            with self._http.stream("GET", self._url + path, params=parameters) as response:
                text = bytearray()
                # httpx limits the time between two chunks of a body. This limits the time for the whole body.
                for part in response.iter_bytes():
                    text += part
                    if time.monotonic() > deadline:
                        raise httpx.ReadTimeout("the response took too long")
        except httpx.RequestError as error:
            raise ApiUnavailable(f"{name}: {str(error) or type(error).__name__}") from error
        field, kind = expected
        body = _parsed(name, bytes(text), is_page=kind is list)
        if not response.is_success:
            raise _problem(name, response, body)
        if not isinstance(body.get(field), kind):
            raise _other_server(self._url + path, response.status_code)
        return body


def _problem(name: str, response: httpx.Response, body: Mapping[str, Any]) -> Exception:
    code, error, field = (
        value if isinstance(value, str) else None for value in map(body.get, ("code", "error", "field"))
    )
    explanation = error or response.reason_phrase or "no explanation"
    message = " ".join([f"{name}:", str(response.status_code), *([code] if code else []), explanation])
    request_id = response.headers.get("x-request-id")
    if not _is_temporary(response.status_code):
        return ApiRefusal(message, status=response.status_code, code=code, field=field, request_id=request_id)
    now = datetime.datetime.now(datetime.timezone.utc)
    return ApiUnavailable(
        message,
        status=response.status_code,
        code=code,
        request_id=request_id,
        retry_after_seconds=retry_after_seconds(response.headers.get("retry-after"), now),
    )


def _is_temporary(status: int) -> bool:
    """Whether the same request may succeed later. 408 comes from the timeout of a proxy."""
    return status in (408, 429) or status >= 500


def _other_server(url: str, status: int) -> ApiRefusal:
    message = f"{url} did not respond like the Deal Signals API: is DEAL_SIGNALS_URL right?"
    return ApiRefusal(message, status=status, code=None, field=None, request_id=None)


def _parsed(name: str, text: bytes, *, is_page: bool) -> Dict[str, Any]:
    """Parses the JSON of an object; anything else counts as an empty one.

    Raises:
        RecordTooDeep: It is nested more deeply than Python can read.
    """
    try:
        body = json.loads(text)
    except ValueError:
        return {}
    except RecursionError as error:
        record_id, depth = deepest_record(text, 3 if is_page else 2)
        message = f"{name}: the record {record_id} is nested {depth} levels deep, which is too deep for Python to read"
        raise RecordTooDeep(message, feed=name, record_id=record_id) from error
    return body if isinstance(body, dict) else {}


def parse_base_url(text: str) -> str:
    """Parses the base URL of the API as people write it.

    Accepts surrounding spaces, trailing slashes and a missing path.

    Returns:
        The URL with its path, such as `https://api.example.com/api/v1`, without a slash at its end, a query or a password.

    Raises:
            ValueError: The text is not a base URL of version 1 of the API. The message does not contain a password.
    """
    try:
        url = httpx.URL(text.strip())
    except httpx.InvalidURL:
        url = httpx.URL("")
    if url.scheme not in ("http", "https") or not url.host:
        raise ValueError(f"the URL of the API must begin with https:// or http://, but is {_without_password(text)}")
    path = re.sub("/{2,}", "/", url.path).rstrip("/") or "/api/v1"
    if not path.endswith("/v1"):
        raise ValueError(f"the URL of the API must end in /api/v1, but is {_without_password(text)}")
    return str(url.copy_with(userinfo=b"", path=path, query=None, fragment=None))


def _without_password(url: str) -> str:
    """Removes the password from a URL, for error messages that may end up in a log."""
    return re.sub(r":[^:@/]*@", ":…@", url)


def _validate_key(api_key: Optional[str]) -> str:
    if not api_key:
        raise ValueError("the API key is missing: set DEAL_SIGNALS_API_KEY")
    # httpx would reject a header with such characters, in a message that contains the key.
    if not re.fullmatch("[\x21-\x7e]+", api_key):
        raise ValueError("the API key contains characters that are not valid in a key")
    return api_key
