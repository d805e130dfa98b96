from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Collection, Iterable, Optional, Tuple

from ..errors import StoreConflict
from ..feed import Feed
from .columns import FEED_COLUMNS

#: The table that holds the cursors, the workspace id, and the names of the tables that the store created.
STATE_TABLE = "deal_signals_state"

#: The table that holds the ids of stored webhook events.
EVENTS_TABLE = "deal_signals_events"

#: How long their ids are kept: much longer than deliveries are retried, except at the request of an admin.
EVENTS_KEPT_MS = 90 * 86_400_000

_VERSIONS = ("updated_at", "last_activity_at")
_INDEXED = ("buyer_space_id", *_VERSIONS, "erased_at")
_MAX_PREFIX_CHARACTERS = 20


@dataclass(frozen=True)
class Table:
    """The definition of a feed's table.

    Attributes:
            columns: The field, name and type of each column.
            version: The column whose greater value marks the newer version of a row; None for rows that never change.
            indexes: The name and column of each index, for columns that consumers join or sort by.
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
    """Returns the key in the state table for a table that the store created. The store uses no other tables."""
    return f"table {table}"


def validate_prefix(prefix: str) -> str:
    """Validates the prefix of table names.

    Raises:
            ValueError: It has more than 20 characters, or one that is not allowed.
    """
    if prefix == "" or (re.fullmatch("[a-z_][a-z0-9_]*", prefix) and len(prefix) <= _MAX_PREFIX_CHARACTERS):
        return prefix
    raise ValueError(
        f"a prefix has lower-case letters, digits and underscores, at most {_MAX_PREFIX_CHARACTERS}; {prefix} is not valid"
    )


def reject_foreign(wanted: Iterable[str], existing: Collection[str]) -> None:
    """Rejects existing tables that the store did not create: it would mix its rows with those of others.

    Args:
            wanted: The names of the tables that the store has not created yet.
            existing: The names of all existing tables and other objects that would collide with a table name.

    Raises:
        StoreConflict: One of them exists.
    """
    foreign = [name for name in wanted if name in existing]
    if not foreign:
        return
    subject, state = (
        ("the table", "already exists and was") if len(foreign) == 1 else ("the tables", "already exist and were")
    )
    raise StoreConflict(
        f"{subject} {', '.join(foreign)} {state} not created by deal-signals, so nothing was written; "
        "choose another file or a prefix"
    )
