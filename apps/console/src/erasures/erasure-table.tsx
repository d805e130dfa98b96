import { Text } from '@mantine/core';
import type { components } from '../api/generated/console.ts';
import { CardTable } from '../parts/lists/card-table.tsx';
import { At } from '../parts/values/time.tsx';
import { count } from '../text/numbers.ts';

/** A table of erasures, in the given order. */
export function ErasureTable({ erasures }: { erasures: readonly components['schemas']['ShownErasure'][] }) {
  return (
    <CardTable
      caption="Erasures"
      rows={erasures}
      keyOf={({ id }) => id}
      columns={{
        What: ({ kind }) => (
          <Text size="sm" fw={500}>
            {kind === 'room' ? 'A room' : 'A person'}
          </Text>
        ),
        State: ({ isDone }) => (isDone ? 'Erased' : 'Under way'),
        People: ({ people }) => count(people),
        When: ({ at }) => <At at={at} />,
        Id: ({ id }) => <span className="breakable">{id}</span>,
      }}
    />
  );
}
