import { Text } from '@mantine/core';
import type { components } from '../api/generated/console.ts';
import { CardTable } from '../parts/card-table.tsx';
import { At } from '../parts/time.tsx';
import { count } from '../text/numbers.ts';

type Done = components['schemas']['Erasure'];
type Running = components['schemas']['RunningErasure'];

interface ErasureTableProps {
  running: readonly Running[];
  done: readonly Done[];
}

/** The erasures under way, then those that are done, the newest first. */
export function ErasureTable({ running, done }: ErasureTableProps) {
  const rows = [
    ...running.map((one) => ({ ...one, isDone: false, at: one.requestedAt })),
    // An erasure with several entries is done with the last one.
    ...done
      .filter(({ id, erasureId }) => id === erasureId)
      .map((one) => ({ ...one, isDone: true, people: one.personIds.length, at: one.erasedAt })),
  ];
  return (
    <CardTable
      caption="Erasures"
      rows={rows}
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
