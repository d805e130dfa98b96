import { Group, Text } from '@mantine/core';
import type { components } from '../api/generated/console.ts';
import { CardTable } from '../parts/lists/card-table.tsx';
import { Meter } from '../parts/values/meter.tsx';
import { PageLink } from '../parts/lists/page-links.tsx';
import { Ago } from '../parts/values/time.tsx';
import { dealValue } from '../text/deals.ts';
import { RoomState } from './room-status.tsx';

type Room = components['schemas']['ConsoleRoom'];

/** A table of rooms with their scores. */
export function RoomTable({ rooms }: { rooms: readonly Room[] }) {
  return (
    <CardTable
      caption="Decision Rooms"
      rows={rooms}
      keyOf={({ id }) => id}
      columns={{
        Room: ({ id, name }) => (
          <PageLink to="/rooms/$roomId" params={{ roomId: id }} fw={600} className="breakable">
            {name}
          </PageLink>
        ),
        Status: ({ status }) => <RoomState status={status} />,
        Score: ({ engagementScore }) => (
          <Group gap="xs" wrap="nowrap" w={120}>
            <Text size="sm" fw={600} w={26} ta="end">
              {engagementScore}
            </Text>
            <div style={{ flex: 1 }}>
              <Meter value={engagementScore} of={100} />
            </div>
          </Group>
        ),
        Value: ({ dealValueCents }) => (dealValueCents === null ? '–' : dealValue(dealValueCents)),
        Owner: ({ owner }) => owner?.name ?? owner?.email ?? '–',
        Engagement: ({ lastEngagementAt: at }) => (at === null ? 'none yet' : <Ago at={at} />),
        // The column that the list is sorted by.
        'Last change': ({ lastActivityAt: at }) => <Ago at={at} />,
      }}
    />
  );
}
