import { Text } from '@mantine/core';

const MOST_SHOWN = 1;

/** The events that an endpoint subscribes to, in short. The title has all of them. */
export function EventNames({ events }: { events: readonly string[] }) {
  if (events.includes('*'))
    return (
      <Text size="sm" className="one-line">
        All events
      </Text>
    );
  const more = events.length - MOST_SHOWN;
  return (
    <Text size="sm" title={events.join('\n')} className="breakable">
      {events.slice(0, MOST_SHOWN).join(', ')}
      {more > 0 && ` and ${more} more`}
    </Text>
  );
}
