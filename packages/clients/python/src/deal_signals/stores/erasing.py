from __future__ import annotations

import datetime
from dataclasses import dataclass, replace
from typing import AbstractSet, Any, Dict, Iterable, List, Mapping, Optional, Sequence

from ..feed import Feed, Page
from ..feeds import DISTRIBUTIONS, ENGAGEMENT_EVENTS, ENGAGEMENT_VIEWS, PEOPLE
from ..types import Erasure

_NO_PERSON = {"name": None, "email": None}
_NO_NAME = {"email": None, "name": None, "role": None, "title": None}
_EVENT_TEXTS: Dict[str, Any] = {"metadata": {}, "demoTitle": None, "buyerSpaceName": None}
_VIEW_TEXTS: Dict[str, Any] = {"demoTitle": None, "buyerSpaceName": None}


@dataclass(frozen=True)
class Clearing:
    """A change that an erasure makes to the rows of a feed.

    Attributes:
            field: The field that identifies the rows.
            values: Its values in those rows.
            changes: The fields to overwrite, with their new values.
            until: Applies only to rows whose `updatedAt` is at or before this time.
            before: Applies only to rows with a smaller id, which is an integer.
    """

    feed: Feed[Any]
    field: str
    values: AbstractSet[str]
    changes: Mapping[str, Any]
    until: Optional[str] = None
    before: Optional[str] = None

    def applies_to(self, record: Mapping[str, Any]) -> bool:
        """Whether this applies to a record."""
        if record.get(self.field) not in self.values:
            return False
        if self.until is not None and record["updatedAt"] > self.until:
            return False
        return self.before is None or int(record["id"]) < int(self.before)


#: The feeds whose rows an erasure changes. All other feeds return the changed rows again.
ERASED_FEEDS: Sequence[Feed[Any]] = (PEOPLE, DISTRIBUTIONS, ENGAGEMENT_EVENTS, ENGAGEMENT_VIEWS)

#: How far a replica of the API may lag behind, with a wide margin. A page from it may lack erasures of that period.
_MAX_LAG = datetime.timedelta(minutes=1)


def list_clearings(erasure: Erasure) -> List[Clearing]:
    """Lists the changes that an erasure makes to a copy.

    Events and views are returned only once, so the copy has to change them. People and share links are returned again, but
    their erasure should not wait for that.
    """
    until = erasure["erasedAt"]
    people = frozenset(erasure["personIds"])
    clearings = [
        Clearing(PEOPLE, "id", people, _NO_NAME, until=until),
        Clearing(DISTRIBUTIONS, "id", frozenset(erasure["distributionIds"]), {"recipient": _NO_PERSON}, until=until),
        Clearing(ENGAGEMENT_EVENTS, "personId", people, {"actor": _NO_PERSON}),
        Clearing(ENGAGEMENT_VIEWS, "personId", people, {"actor": _NO_PERSON}),
        Clearing(ENGAGEMENT_EVENTS, "id", frozenset(erasure["engagementEventIds"]), _EVENT_TEXTS),
        Clearing(ENGAGEMENT_VIEWS, "id", frozenset(erasure["engagementViewIds"]), _VIEW_TEXTS),
    ]
    room, before = erasure["buyerSpaceId"], erasure["engagementBefore"]
    if room is not None and before is not None:
        rooms = frozenset([room])
        clearings += [
            Clearing(ENGAGEMENT_EVENTS, "buyerSpaceId", rooms, {"actor": _NO_PERSON, **_EVENT_TEXTS}, before=before),
            Clearing(ENGAGEMENT_VIEWS, "buyerSpaceId", rooms, {"actor": _NO_PERSON, **_VIEW_TEXTS}, before=before),
        ]
    return [clearing for clearing in clearings if clearing.values]


def clear_record(record: Mapping[str, Any], clearings: Iterable[Clearing]) -> Dict[str, Any]:
    """Applies the changes of erasures to a record of their feed. Returns a new record."""
    cleared = dict(record)
    for clearing in clearings:
        if clearing.applies_to(record):
            cleared.update(clearing.changes)
    return cleared


def clear_page(feed: Feed[Any], page: Page[Any], erasures: Iterable[Erasure]) -> Page[Any]:
    """Applies erasures to a page that may have been read before them.

    Returns the same page if they change nothing in its feed.
    """
    clearings = [one for erasure in erasures for one in list_clearings(erasure) if one.feed == feed]
    return replace(page, data=[clear_record(record, clearings) for record in page.data]) if clearings else page


def missing_since(known_at: Optional[str]) -> Optional[str]:
    """Returns the start of the period whose erasures a page may lack, if it is read after an erasure became known.

    Args:
            known_at: The latest `erasedAt` that was known before the page was read; None if there was none.

    Returns:
        None if every erasure may be missing.
    """
    if known_at is None:
        return None
    since = datetime.datetime.strptime(known_at, "%Y-%m-%dT%H:%M:%S.%fZ") - _MAX_LAG
    return since.isoformat(timespec="milliseconds") + "Z"
