from __future__ import annotations

import datetime
from dataclasses import dataclass, replace
from typing import AbstractSet, Any, Dict, Iterable, List, Mapping, Optional, Sequence

from ..feed import Feed, Page
from ..feeds import DISTRIBUTIONS, ENGAGEMENT_EVENTS, ENGAGEMENT_VIEWS, PEOPLE
from ..types import Erasure

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
    values: AbstractSet[str]
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


#: The feeds whose rows an erasure changes. The rows of all others come again when it has changed them.
ERASED_FEEDS: Sequence[Feed[Any]] = (PEOPLE, DISTRIBUTIONS, ENGAGEMENT_EVENTS, ENGAGEMENT_VIEWS)

#: How far a replica of the API may lag behind, with a wide margin: a page from it can lack what was erased so long ago.
_MAX_LAG = datetime.timedelta(minutes=1)


def clearings_of(erasure: Erasure) -> List[Clearing]:
    """Lists what an erasure changes in a copy.

    Events and views come once, so the copy has to change them. People and share links come again, but should not wait for that.
    """
    until = erasure["erasedAt"]
    people = frozenset(erasure["personIds"])
    clearings = [
        Clearing(PEOPLE, "id", people, _NO_NAME, until=until),
        Clearing(DISTRIBUTIONS, "id", frozenset(erasure["distributionIds"]), {"recipient": _NOBODY}, until=until),
        Clearing(ENGAGEMENT_EVENTS, "personId", people, {"actor": _NOBODY}),
        Clearing(ENGAGEMENT_VIEWS, "personId", people, {"actor": _NOBODY}),
        Clearing(ENGAGEMENT_EVENTS, "id", frozenset(erasure["engagementEventIds"]), _EVENT_TEXTS),
        Clearing(ENGAGEMENT_VIEWS, "id", frozenset(erasure["engagementViewIds"]), _VIEW_TEXTS),
    ]
    room, before = erasure["buyerSpaceId"], erasure["engagementBefore"]
    if room is not None and before is not None:
        rooms = frozenset([room])
        clearings += [
            Clearing(ENGAGEMENT_EVENTS, "buyerSpaceId", rooms, {"actor": _NOBODY, **_EVENT_TEXTS}, before=before),
            Clearing(ENGAGEMENT_VIEWS, "buyerSpaceId", rooms, {"actor": _NOBODY, **_VIEW_TEXTS}, before=before),
        ]
    return [clearing for clearing in clearings if clearing.values]


def clear_record(record: Mapping[str, Any], clearings: Iterable[Clearing]) -> Dict[str, Any]:
    """Returns a record as clearings of its feed leave it. The record itself is not changed."""
    cleared = dict(record)
    for clearing in clearings:
        if clearing.is_meant(record):
            cleared.update(clearing.changes)
    return cleared


def clear_page(feed: Feed[Any], page: Page[Any], erasures: Iterable[Erasure]) -> Page[Any]:
    """Returns a page as erasures leave it, for a page that may have been read before them.

    It is the same page if they change nothing in its feed.
    """
    clearings = [one for erasure in erasures for one in clearings_of(erasure) if one.feed == feed]
    return replace(page, data=[clear_record(record, clearings) for record in page.data]) if clearings else page


def missing_since(known_at: Optional[str]) -> Optional[str]:
    """Returns the time from which erasures may be missing in a page that is read after an erasure became known.

    Args:
        known_at: The latest `erasedAt` that was known before the page was read; None without one.

    Returns:
        None if every erasure may be missing.
    """
    if known_at is None:
        return None
    since = datetime.datetime.strptime(known_at, "%Y-%m-%dT%H:%M:%S.%fZ") - _MAX_LAG
    return since.isoformat(timespec="milliseconds") + "Z"
