from __future__ import annotations

import re
from typing import Any, Iterable, List, Mapping, Optional, Tuple

from .errors import RecordTooDeep

#: The API allows 64 levels in free-form fields. An error about a page without deeper records has another cause.
_UNSUSPICIOUS_DEPTH = 100

#: The relevant tokens of a JSON text: strings, a colon after a string, and brackets that open or close a level.
_TOKEN = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|[\[{]|[\]}]', re.DOTALL)


def deepest_record(text: bytes, level: int) -> Tuple[Optional[str], int]:
    """Finds the most deeply nested record of a JSON text, without recursion.

    Args:
            level: The level of the fields of a record: 1 for the text itself, 3 for the records of a page.

    Returns:
            The `id` of the record, None if it has none, and its number of levels.
    """
    depth = deepest = 0
    found: Optional[str] = None
    # These describe the record that is being read.
    record_id: Optional[str] = None
    key = b""
    reached = 0
    for token in _TOKEN.finditer(text):
        part = token[0]
        if part in (b"{", b"["):
            depth += 1
            reached = max(reached, depth)
            if depth == level:
                record_id, reached = None, depth
        elif part in (b"}", b"]"):
            if depth == level and reached - level >= deepest:
                found, deepest = record_id, reached - level + 1
            depth -= 1
        elif depth == level:
            if token[1] is None and key == b'"id"':
                record_id = part[1:-1].decode("utf-8", "replace")
            key = part[: -len(token[1])] if token[1] is not None else b""
    return found, deepest


def explain_depth(feed: str, records: Iterable[Mapping[str, Any]], error: RecursionError) -> Exception:
    """Returns an error that names the record that is nested too deeply to be stored, or the original error if there is none."""
    found, deepest = "", _UNSUSPICIOUS_DEPTH
    for record in records:
        depth = _measure_depth(record)
        if depth > deepest:
            found, deepest = str(record.get("id")), depth
    if found == "":
        return error
    message = f"{feed}: the record {found} is nested {deepest} levels deep, which is too deep to be stored"
    return RecordTooDeep(message, feed=feed, record_id=found)


def _measure_depth(value: object) -> int:
    """Counts the levels of objects and lists in a value."""
    depth = 0
    level: List[object] = [value]
    while True:
        nested = [one for one in level if isinstance(one, (dict, list))]
        if not nested:
            return depth
        depth += 1
        level = [inner for one in nested for inner in (one.values() if isinstance(one, dict) else one)]
