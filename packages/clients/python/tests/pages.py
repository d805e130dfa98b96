from __future__ import annotations

from typing import Any, Dict

from deal_signals import Page


def event(number: int, **changes: Any) -> Dict[str, Any]:
    """Returns an event with a value for every kind of column."""
    return {
        "id": str(number),
        "type": "room_visit",
        "occurredAt": "2026-09-01T12:00:00.000Z",
        "actor": {"name": "Bob", "email": None},
        "metadata": {"page": 3, "quote": "\"O'Hara\" 📈"},
        "demoId": None,
        "demoTitle": None,
        "distributionId": "00000000-0000-4000-8000-000000000003",
        "buyerSpaceId": "00000000-0000-4000-8000-000000000001",
        "docId": None,
        **changes,
    }


def room(status: str) -> Dict[str, Any]:
    """Returns a room with a status."""
    return {
        "id": "00000000-0000-4000-8000-000000000001",
        "name": "Globex",
        "slug": None,
        "status": status,
        "owner": None,
        "primaryContactEmail": None,
        "expectedCloseDate": "2026-12-18",
        "dealValueCents": 9_007_199_254_740_991,
        "sourceCallId": None,
        "createdAt": "2026-09-01T12:00:00.000Z",
        "lastActivityAt": "2026-09-01T12:00:00.001Z",
        "closedAt": None,
    }


def page_of(*records: Dict[str, Any]) -> Page[Any]:
    """Returns a page. The cursor after it is the id of its last record."""
    return Page(list(records), records[-1]["id"] if records else "", False)
