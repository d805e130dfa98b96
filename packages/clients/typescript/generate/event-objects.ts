import { type Description, GENERATED } from './generate.ts';
import { constantName } from './python/feeds.ts';

/** Returns the TypeScript source that maps event types to the feeds of their objects. */
export function eventObjectsSource({ events }: Description): string {
  const entries = objects(events).map(
    ([type, feed, field]) =>
      `  '${type}': { feed: '${feed}', field: ${field === null ? 'null' : `'${field}'`} },`,
  );
  return `// ${GENERATED}

import type { Feed } from '../feeds/feeds.ts';

/** For each event type, the feed of its object, and the field of \`data\` that holds it; null if \`data\` is the object. */
export const EVENT_OBJECTS: Readonly<Record<string, { feed: Feed; field: string | null }>> = {
${entries.join('\n')}
};
`;
}

/** Returns the same map as Python source. */
export function pythonEventObjectsSource({ events }: Description): string {
  const found = objects(events);
  const feeds = [...new Set(found.map(([, feed]) => constantName(feed)))].toSorted();
  const entries = found.map(
    ([type, feed, field]) =>
      `    "${type}": (${constantName(feed)}, ${field === null ? 'None' : `"${field}"`}),`,
  );
  return `# ${GENERATED}
from typing import Any, Dict, Optional, Tuple

from .feed import Feed
from .feeds import ${feeds.join(', ')}

#: For each event type, the feed of its object, and the field of \`data\` that holds it; None if \`data\` is the object.
EVENT_OBJECTS: Dict[str, Tuple[Feed[Any], Optional[str]]] = {
${entries.join('\n')}
}
`;
}

function objects(events: Description['events']): [type: string, feed: string, field: string | null][] {
  return Object.entries(events).flatMap(([type, { feed, objectField }]) =>
    feed === null ? [] : [[type, feed, objectField]],
  );
}
