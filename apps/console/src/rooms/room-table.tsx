import { Group, Text } from '@mantine/core';
import type { components } from '../api/generated/console.ts';
import { CardTable } from '../parts/card-table.tsx';
import { Meter } from '../parts/meter.tsx';
import { PageLink } from '../parts/page-links.tsx';
import { Ago } from '../parts/time.tsx';
import { dealValue } from '../text/deals.ts';
import { RoomState } from './room-status.tsx';

type Room = components['schemas']['ConsoleRoom'];

/** Rooms with their scores. */
export function RoomTable({ rooms }: { rooms: readonly Room[] }) {
  return (
    <CardTable
      caption="Decision Rooms"
      columns={['Room', 'Status', 'Score', 'Value', 'Owner', 'Last activity']}
    >
      {rooms.map((room) => (
        <RoomRow key={room.id} room={room} />
      ))}
    </CardTable>
  );
}

function RoomRow({ room }: { room: Room }) {
  return (
    <tr>
      <th scope="row">
        <PageLink to="/rooms/$roomId" params={{ roomId: room.id }} fw={600} className="breakable">
          {room.name}
        </PageLink>
      </th>
      <td data-label="Status">
        <RoomState status={room.status} />
      </td>
      <td data-label="Score">
        <Group gap="xs" wrap="nowrap" w={120}>
          <Text size="sm" fw={600} w={26} ta="end">
            {room.engagementScore}
          </Text>
          <div style={{ flex: 1 }}>
            <Meter value={room.engagementScore} of={100} />
          </div>
        </Group>
      </td>
      <td data-label="Value">{room.dealValueCents === null ? '–' : dealValue(room.dealValueCents)}</td>
      <td data-label="Owner">{room.owner?.name ?? room.owner?.email ?? '–'}</td>
      <td data-label="Last activity">
        {room.lastEngagementAt === null ? 'never' : <Ago at={room.lastEngagementAt} />}
      </td>
    </tr>
  );
}
