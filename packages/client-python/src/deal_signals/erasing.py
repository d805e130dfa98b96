from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, List, Mapping, Optional, Sequence

from .feed import Feed
from .feeds import DISTRIBUTIONS, ENGAGEMENT_EVENTS, ENGAGEMENT_VIEWS, PEOPLE
from .types import Erasure

_NOBODY = {"name": None, "email": None}
_NO_NAME = {"email": None, "name": None, "role": None, "title": None}
_EVENT_TEXTS: Dict[str, Any] = {"metadata": {}, "demoTitle": None, "buyerSpaceName": None}
_VIEW_TEXTS: Dict[str, Any] = {"demoTitle": None, "buyerSpaceName": None}


@dataclass(frozen=True)
class Clearing:
    """What an erasure changes in the rows of a feed.

    Attributes:
        field: The field that tells the rows.
        values: Its values.
        changes: The fields that are written, with what is written.
        until: Only rows that changed at this time or before, by `updatedAt`.
        before: Only rows with a smaller id, which is an integer.
    """

    feed: Feed[Any]
    field: str
    values: Sequence[str]
    changes: Mapping[str, Any]
    until: Optional[str] = None
    before: Optional[str] = None

    def is_meant(self, record: Mapping[str, Any]) -> bool:
        """Whether it changes a record."""
        if record.get(self.field) not in self.values:
            return False
        if self.until is not None and record["updatedAt"] > self.until:
            return False
        return self.before is None or int(record["id"]) < int(self.before)


def clearings_of(erasure: Erasure) -> List[Clearing]:
    """What has to be erased in a copy.

    Events and views come once, so nobody else does it; people and share links come again, but should not have to wait for that.
    """
    until = erasure["erasedAt"]
    people = erasure["personIds"]
    clearings = [
        Clearing(PEOPLE, "id", people, _NO_NAME, until=until),
        Clearing(DISTRIBUTIONS, "id", erasure["distributionIds"], {"recipient": _NOBODY}, until=until),
        Clearing(ENGAGEMENT_EVENTS, "personId", people, {"actor": _NOBODY}),
        Clearing(ENGAGEMENT_VIEWS, "personId", people, {"actor": _NOBODY}),
        Clearing(ENGAGEMENT_EVENTS, "id", erasure["engagementEventIds"], _EVENT_TEXTS),
        Clearing(ENGAGEMENT_VIEWS, "id", erasure["engagementViewIds"], _VIEW_TEXTS),
    ]
    room, before = erasure["buyerSpaceId"], erasure["engagementBefore"]
    if room is not None and before is not None:
        clearings += [
            Clearing(ENGAGEMENT_EVENTS, "buyerSpaceId", [room], {"actor": _NOBODY, **_EVENT_TEXTS}, before=before),
            Clearing(ENGAGEMENT_VIEWS, "buyerSpaceId", [room], {"actor": _NOBODY, **_VIEW_TEXTS}, before=before),
        ]
    return [clearing for clearing in clearings if clearing.values]
