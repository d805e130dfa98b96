import type { components } from '../api/generated/console.ts';
import { CopyText } from '../parts/values/copy-text.tsx';
import { Facts } from '../parts/values/facts.tsx';
import { RoomLink } from '../parts/values/object-links.tsx';
import { Panel } from '../parts/panel.tsx';
import { Ago, At } from '../parts/values/time.tsx';
import { dealValue } from '../text/deals.ts';
import { lasting } from '../text/play-time.ts';
import { statusName } from '../rooms/room-status.tsx';
import { kindName } from './call-kinds.ts';

/** Shows when a call took place, its participants, and its deal. */
export function CallFacts({ call }: { call: components['schemas']['Call'] }) {
  const { deal, buyerSpaceId } = call;
  return (
    <Panel title="Call">
      <Facts
        facts={[
          ['Kind', kindName(call.kind)],
          ['Prospect', call.prospectName],
          ['Owner', call.owner.name ?? call.owner.email ?? `User ${call.owner.id}`],
          ['Room', buyerSpaceId === null ? 'none' : <RoomLink key="room" id={buyerSpaceId} />],
          [
            'Deal',
            deal === null
              ? null
              : [statusName(deal.status), deal.valueCents === null ? null : dealValue(deal.valueCents)]
                  .filter(Boolean)
                  .join(', '),
          ],
          ['Took place', <At key="occurred" at={call.occurredAt} />],
          ['Length', call.durationSeconds === null ? 'not known' : lasting(call.durationSeconds)],
          ['Completed', call.completedAt === null ? null : <At key="completed" at={call.completedAt} />],
          ['Last change', <Ago key="updated" at={call.updatedAt} />],
          [
            'Disqualified',
            call.disqualifiedAt === null ? null : <At key="disqualified" at={call.disqualifiedAt} />,
          ],
          ['Reason', call.disqualifiedReason],
          ['Id', <CopyText key="id" text={call.id} what="the id of the call" />],
        ]}
      />
    </Panel>
  );
}
