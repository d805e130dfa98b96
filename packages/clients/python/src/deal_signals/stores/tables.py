from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Collection, Iterable, Optional, Tuple

from ..errors import StoreConflict
from ..feed import Feed
from .columns import FEED_COLUMNS

#: The table that holds the cursors, whose data it is, and which tables the store has made.
STATE_TABLE = "deal_signals_state"

#: The table that holds the ids of webhook events that were stored.
EVENTS_TABLE = "deal_signals_events"

#: How long their ids are kept: much longer than deliveries are repeated, unless an admin asks for one again.
EVENTS_KEPT_MS = 90 * 86_400_000

_VERSIONS = ("updated_at", "last_activity_at")
_INDEXED = ("buyer_space_id", *_VERSIONS, "erased_at")
_MAX_PREFIX_CHARACTERS = 20


@dataclass(frozen=True)
class Table:
    """The table of a feed, and what it is to have.

    Attributes:
        columns: The field of each column, its name, and its type.
        version: The column whose greater value is the newer version of a row; None for rows that never change.
        indexes: The name and the column of each, for what a consumer joins by or sorts by.
    """

    name: str
    columns: Tuple[Tuple[str, str, str], ...]
    version: Optional[str]
    indexes: Tuple[Tuple[str, str], ...]


def feed_table(prefix: str, feed: Feed[Any]) -> Table:
    """Returns the table of a feed."""
    name = prefix + feed.table
    columns = FEED_COLUMNS[feed]
    names = [column for _, column, _ in columns]
    return Table(
        name,
        columns,
        next((one for one in _VERSIONS if one in names), None),
        tuple((f"{name}_by_{one}", one) for one in _INDEXED if one in names),
    )


def table_state(table: str) -> str:
    """The name in the state of a table that the store has made. Nothing else is its own."""
    return f"table {table}"


def checked_prefix(prefix: str) -> str:
    """Checks what the name of each table begins with.

    Raises:
        ValueError: It has other characters than names of tables, or more than 20.
    """
    if prefix == "" or (re.fullmatch("[a-z_][a-z0-9_]*", prefix) and len(prefix) <= _MAX_PREFIX_CHARACTERS):
        return prefix
    raise ValueError(
        f"a prefix is small letters, digits and underscores, {_MAX_PREFIX_CHARACTERS} at most, but not {prefix}"
    )


def refuse_foreign(wanted: Iterable[str], existing: Collection[str]) -> None:
    """Rejects existing tables that the store did not create: it would mix its rows with those of others.

    Args:
        wanted: The names of the tables that the store has not made.
        existing: The names of tables and all else that a table cannot have the name of.

    Raises:
        StoreConflict: One of them exists.
    """
    foreign = [name for name in wanted if name in existing]
    if not foreign:
        return
    subject, verb = ("the table", "was") if len(foreign) == 1 else ("the tables", "were")
    raise StoreConflict(
        f"{subject} {', '.join(foreign)} {verb} there before and {verb} not made by deal-signals, so nothing was written; "
        "choose another file or a prefix"
    )
