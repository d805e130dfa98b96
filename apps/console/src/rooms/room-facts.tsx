import type { components } from '../api/generated/console.ts';
import { CopyText } from '../parts/values/copy-text.tsx';
import { Facts } from '../parts/values/facts.tsx';
import { CallLink } from '../parts/values/object-links.tsx';
import { Panel } from '../parts/panel.tsx';
import { Ago, At } from '../parts/values/time.tsx';
import { calendarDay, dealValue } from '../text/deals.ts';

/** Shows the value, the owner and the dates of a deal. */
export function RoomFacts({ metrics: { room, totals } }: { metrics: components['schemas']['RoomMetrics'] }) {
  return (
    <Panel title="Deal">
      <Facts
        facts={[
          ['Value', room.dealValueCents === null ? 'not set' : dealValue(room.dealValueCents)],
          [
            'Owner',
            room.owner === null ? 'none' : (room.owner.name ?? room.owner.email ?? `User ${room.owner.id}`),
          ],
          ['Contact', room.primaryContactEmail],
          ['Expected close', room.expectedCloseDate === null ? null : calendarDay(room.expectedCloseDate)],
          ['First call', room.sourceCallId === null ? null : <CallLink key="call" id={room.sourceCallId} />],
          ['Created', <At key="created" at={room.createdAt} />],
          [
            'Last activity',
            totals.lastActivityAt === null ? 'never' : <Ago key="last" at={totals.lastActivityAt} />,
          ],
          ['Closed', room.closedAt === null ? null : <At key="closed" at={room.closedAt} />],
          ['Id', <CopyText key="id" text={room.id} what="the id of the room" />],
        ]}
      />
    </Panel>
  );
}
