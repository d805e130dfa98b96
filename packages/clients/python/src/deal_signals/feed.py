from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, List, TypeVar

R = TypeVar("R")


class Feed(str, Generic[R]):
    """The path of a feed, such as `engagement/events`, with the type of its records.

    `deal_signals.feeds` has one for each feed of the API.
    """

    @property
    def table(self) -> str:
        """The name of the feed's table or file: its path in snake case, such as `engagement_events`."""
        return self.replace("/", "_").replace("-", "_")


@dataclass(frozen=True)
class Page(Generic[R]):
    """A page of a feed.

    Attributes:
        data: The records, oldest first.
        next_cursor: The position after this page. It never expires.
            has_more: Whether more pages can be read now. A page with `since` can be empty although there are more.
    """

    data: List[R]
    next_cursor: str
    has_more: bool
