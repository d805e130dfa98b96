import { Text } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';

const MAX_SHOWN = 1;

/** Shows the first events that an endpoint subscribes to. The title lists all of them. */
export function EventNames({ events }: { events: readonly string[] }) {
  if (events.includes('*'))
    return (
      <Text size="sm" className="one-line">
        All events
      </Text>
    );
  const more = events.length - MAX_SHOWN;
  return (
    <Text size="sm" title={events.join('\n')}>
      {events.slice(0, MAX_SHOWN).map(inParts)}
      {more > 0 && ` and ${more} more`}
    </Text>
  );
}

/** Allows line breaks in a name only after its dots. */
function inParts(name: string): ReactNode {
  return name.split('.').map((part, place) => (
    <Fragment key={part}>
      {place > 0 && (
        <>
          .<wbr />
        </>
      )}
      {part}
    </Fragment>
  ));
}
