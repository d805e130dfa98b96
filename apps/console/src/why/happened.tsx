import { Badge, Group } from '@mantine/core';
import { boundedCount } from '../text/numbers.ts';
import type { Why } from './sentences.ts';

/** Lists the events of the object, by type. */
export function Happened({ happened }: Pick<Why, 'happened'>) {
  return (
    <Group gap="xs" mt="xs">
      {happened
        .filter(({ isCertain }) => isCertain)
        .map(({ eventType, count, isCountExact }) => (
          <Badge key={eventType} variant="default" tt="none" fw={500} size="lg" maw="100%">
            {boundedCount(count, isCountExact)} × {eventType}
          </Badge>
        ))}
    </Group>
  );
}
