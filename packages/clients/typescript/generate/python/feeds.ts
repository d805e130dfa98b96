import {
  DELIVERY_LOG,
  type Description,
  feedColumns,
  feedRecords,
  feedStarts,
  GENERATED,
  SCORES,
} from '../generate.ts';
import { pythonType } from './type-names.ts';

/** Returns the Python source of the feeds and the types of their records. */
export function pythonFeedsSource(description: Description): string {
  const feeds = Object.entries(feedRecords(description))
    .filter(([path]) => !path.includes('{'))
    .map(([path, schema]) => {
      // The schema of every feed's records has a name.
      const record = pythonType(schema, '', () => {
        throw new Error(`the records of ${path} have no name`);
      });
      return { path, record, name: constantName(path) };
    });
  const followed = feeds.filter(({ path }) => path !== SCORES);
  const data = followed.filter(({ path }) => path !== DELIVERY_LOG);
  const starts = Object.entries(feedStarts(description)).flatMap(([path, start]) =>
    start === null ? [] : [`    ${constantName(path)}: "${start}",`],
  );
  const names = (list: typeof feeds) => list.map(({ name }) => name).join(', ');
  return `# ${GENERATED}
"""The feeds of the API."""

from __future__ import annotations

from typing import Any, Dict, Tuple

from .feed import Feed
from .types import ${[...new Set(feeds.map(({ record }) => record))].toSorted().join(', ')}

${feeds.map(({ name, record, path }) => `${name}: Feed[${record}] = Feed("${path}")`).join('\n')}

# ROOM_SCORES is in no list: scores are computed at the request, so reading on from a cursor misses those that fell.

#: The feeds that together form a copy of the workspace's data. Records that change are returned again, except events and
#: views, which never change.
DATA_FEEDS: Tuple[Feed[Any], ...] = (${names(data)})

#: Every feed. The delivery log lists what was sent: a delivery appears once, when it is queued, and is not returned again
#: when its status changes.
FEEDS: Tuple[Feed[Any], ...] = (${names(followed)})

#: The query parameter of each feed that sets where reading begins. Feeds without one are missing.
START_PARAMETERS: Dict[Feed[Any], str] = {
${starts.join('\n')}
}
`;
}

/** Returns the name of a feed's constant, such as `ENGAGEMENT_EVENTS`. */
export function constantName(path: string): string {
  return path.replaceAll(/\W/g, '_').toUpperCase();
}

/** Returns the Python source of the columns of each feed's table. */
export function pythonColumnsSource(description: Description): string {
  const feeds = Object.entries(feedColumns(description)).map(([path, columns]) => {
    const rows = columns.map(({ field, name, type }) => `        ("${field}", "${name}", "${type}"),`);
    return [`    "${path}": (`, ...rows, '    ),'].join('\n');
  });
  return `# ${GENERATED}
from typing import Dict, Tuple

#: The columns of each feed, in the order of the published fields: the field, its name in snake case, and its type.
FEED_COLUMNS: Dict[str, Tuple[Tuple[str, str, str], ...]] = {
${feeds.join('\n')}
}
`;
}
