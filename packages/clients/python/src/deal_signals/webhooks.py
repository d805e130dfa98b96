from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import time
from dataclasses import dataclass
from typing import (
    Any,
    Dict,
    Iterable,
    List,
    NoReturn,
    Optional,
    Protocol,
    Sequence,
    Tuple,
    TypedDict,
    Union,
    cast,
)

from .errors import WebhookError
from .record_depth import deepest_record

#: Older signatures are rejected by default, so that a recorded delivery cannot be replayed.
DEFAULT_TOLERANCE_SECONDS = 300.0
_SECRET_PREFIX = "whsec_"
_SIGNATURE_BYTES = 32
#: A rotation overlaps two secrets. A request with more signatures is not a delivery of ours, and each check costs time.
_MAX_SIGNATURES = 8


class WebhookEvent(TypedDict):
    """The body of a delivery. Its `data` depends on its `type`.

    New types may appear at any time. Ignore unknown types. `deal_signals.types` has the body of each known type, such as
    `CallSummaryCreatedEvent`.
    """

    #: Identifies the event: the same in every attempt and for every endpoint.
    id: str
    type: str
    apiVersion: str
    createdAt: str
    #: The id of the workspace.
    companyId: int
    data: Any


class Headers(Protocol):
    """The headers of a request: a dict, or the headers object of Flask, Starlette, Django, httpx or `http.server`."""

    def items(self) -> Iterable[Tuple[str, str]]:
        """Returns the names and values. The case of the names does not matter."""


@dataclass(frozen=True)
class _Claim:
    """A signature that a request carries."""

    scheme: str
    #: The signed text before the body.
    parts: Sequence[str]
    timestamp: int
    signatures: Sequence[bytes]


def verify_webhook(
    raw_body: Union[bytes, bytearray, memoryview, str],
    headers: Headers,
    secret: Union[str, Sequence[str]],
    *,
    tolerance_seconds: float = DEFAULT_TOLERANCE_SECONDS,
    now: Optional[float] = None,
) -> WebhookEvent:
    """Checks that a delivery was signed recently with one of the secrets. It accepts both schemes that a request may carry:
    `X-Service-Signature`, and the headers of Standard Webhooks.

    Args:
            raw_body: The body, byte for byte. A body that was parsed and serialised again has different bytes.
        secret: The signing secret of the endpoint, or several while you rotate it.
        tolerance_seconds: How far the time of the signature may be from the clock.
            now: The current time in Unix seconds; only tests set it.

    Returns:
        The event.

    Raises:
            WebhookError: The delivery cannot be trusted; `code` gives the reason.
            TypeError: The body was already parsed, which is a programming error.
            ValueError: There is no secret, which is a programming error.
    """
    body = _to_bytes(raw_body)
    secrets = _secret_list(secret)
    claims = _parse_claims({name.lower(): value for name, value in reversed(list(headers.items()))})
    if not claims:
        raise WebhookError("SIGNATURE_MISSING", "the request has no valid signature header")
    claim = next((claim for claim in claims if _matches(claim, body, secrets)), None)
    if claim is None:
        raise WebhookError(
            "SIGNATURE_MISMATCH",
            "the signature matches none of the secrets: "
            "the secret is wrong, or the body was changed in transit",
        )
    distance = abs((time.time() if now is None else now) - claim.timestamp)
    if distance > tolerance_seconds:
        raise WebhookError(
            "TIMESTAMP_OUT_OF_TOLERANCE",
            f"the signature is {distance:.0f} seconds away from this clock, and {tolerance_seconds:g} are allowed",
        )
    return _parse_event(body)


def _matches(claim: _Claim, body: bytes, secrets: Sequence[str]) -> bool:
    content = ".".join([*claim.parts, ""]).encode("utf-8", "replace") + body
    for secret in secrets:
        # The service uses the text of the whole secret as the key.
        key = secret.encode() if claim.scheme == "service" else _standard_key(secret)
        if not key:
            continue
        expected = hmac.new(key, content, hashlib.sha256).digest()
        if any(hmac.compare_digest(expected, signature) for signature in claim.signatures):
            return True
    return False


def _standard_key(secret: str) -> Optional[bytes]:
    """Returns the key of Standard Webhooks: the bytes that are base64-encoded after `whsec_`."""
    has_prefix = secret.startswith(_SECRET_PREFIX)
    return _from_base64(secret[len(_SECRET_PREFIX) :] if has_prefix else secret)


def _parse_claims(headers: Dict[str, str]) -> List[_Claim]:
    """Returns the signatures of a request, one for each scheme that it carries."""
    return [claim for claim in (_service_claim(headers), _standard_claim(headers)) if claim is not None]


def _service_claim(headers: Dict[str, str]) -> Optional[_Claim]:
    """Parses `X-Service-Signature: t=<unix seconds>,v1=<hex>`, with a second `v1` while a secret rotation overlaps."""
    pairs = [_pair(part.strip(), "=") for part in headers.get("x-service-signature", "").split(",")]
    timestamp = next((value for name, value in pairs if name == "t"), "")
    signatures = [_from_hex(value) for name, value in pairs if name == "v1"]
    return _claim("service", [timestamp], timestamp, signatures)


def _standard_claim(headers: Dict[str, str]) -> Optional[_Claim]:
    """Parses `webhook-signature: v1,<base64>`, which may have further values after spaces. It signs the id, the time and the
    body."""
    message_id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if message_id == "":
        return None
    pairs = [_pair(part, ",") for part in headers.get("webhook-signature", "").split(" ")]
    signatures = [_from_base64(value) for version, value in pairs if version == "v1"]
    return _claim("standard", [message_id, timestamp], timestamp, signatures)


def _claim(
    scheme: str, parts: Sequence[str], timestamp: str, decoded: Iterable[Optional[bytes]]
) -> Optional[_Claim]:
    signatures = [one for one in decoded if one is not None and len(one) == _SIGNATURE_BYTES]
    if not re.fullmatch("[0-9]{1,12}", timestamp) or not signatures:
        return None
    return _Claim(scheme, parts, int(timestamp), signatures[:_MAX_SIGNATURES])


def _pair(text: str, separator: str) -> Tuple[str, str]:
    name, *values = text.split(separator)
    return name, values[0] if values else ""


def _from_base64(text: str) -> Optional[bytes]:
    """Decodes base64 with its padding; None for anything else."""
    is_base64 = re.fullmatch("([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?", text)
    return base64.b64decode(text) if is_base64 else None


def _from_hex(text: str) -> Optional[bytes]:
    """Decodes hexadecimal digits; None for anything else."""
    return bytes.fromhex(text) if re.fullmatch("([0-9A-Fa-f]{2})+", text) else None


def _to_bytes(raw_body: object) -> bytes:
    if isinstance(raw_body, str):
        return raw_body.encode("utf-8", "replace")
    if isinstance(raw_body, (bytes, bytearray, memoryview)):
        return bytes(raw_body)
    raise TypeError("the raw body must be bytes or text: the signature does not cover a parsed body")


def _secret_list(secret: Union[str, Sequence[str]]) -> Sequence[str]:
    secrets = [one for one in ([secret] if isinstance(secret, str) else secret) if one != ""]
    if not secrets:
        raise ValueError("a signing secret is required")
    return secrets


def _parse_event(body: bytes) -> WebhookEvent:
    try:
        event = json.loads(body.decode("utf-8-sig", "replace"), parse_constant=_refuse)
    except ValueError:
        event = None
    except RecursionError as error:
        event_id, depth = deepest_record(body, 1)
        message = f"the body of the event {event_id} is nested {depth} levels deep, which is too deep for Python to read"
        raise WebhookError("BODY_INVALID", message) from error
    if (
        not isinstance(event, dict)
        or not isinstance(event.get("id"), str)
        or not isinstance(event.get("type"), str)
    ):
        raise WebhookError("BODY_INVALID", "the body is signed, but it is not the JSON of a delivery")
    return cast(WebhookEvent, event)


def _refuse(constant: str) -> NoReturn:
    """Rejects NaN and Infinity, which Python accepts but JSON does not have."""
    raise ValueError(constant)
