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

/** The Python source of the feeds and the types of their records. */
export function pythonFeedsSource(description: Description): string {
  const feeds = Object.entries(feedRecords(description))
    .filter(([path]) => !path.includes('{'))
    .map(([path, schema]) => {
      // Every feed has records with a name.
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

# ROOM_SCORES is in no list: scores are computed at the request, so that reading on from a cursor misses those that fell.

#: The feeds that together are a copy of the workspace's data. Records that change come again, except events and views,
#: which never change.
DATA_FEEDS: Tuple[Feed[Any], ...] = (${names(data)})

#: Every feed. The delivery log is a list of what was sent: a delivery appears once, when it is queued, and does not come again
#: when its status changes.
FEEDS: Tuple[Feed[Any], ...] = (${names(followed)})

#: The parameter of each feed that chooses where to begin. A feed that is missing has none.
START_PARAMETERS: Dict[Feed[Any], str] = {
${starts.join('\n')}
}
`;
}

/** The name of a feed's constant, such as `ENGAGEMENT_EVENTS`. */
export function constantName(path: string): string {
  return path.replaceAll(/\W/g, '_').toUpperCase();
}

/** The Python source of the columns of each feed's table. */
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
