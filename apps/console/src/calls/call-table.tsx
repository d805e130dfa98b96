import type { components } from '../api/generated/console.ts';
import { CardTable } from '../parts/card-table.tsx';
import { PageLink } from '../parts/page-links.tsx';
import { Ago } from '../parts/time.tsx';
import { lasting } from '../text/play-time.ts';
import { CallState, callTitle, kindName } from './call-words.tsx';

type Call = components['schemas']['Call'];

/** Calls, in the order that they are given in. */
export function CallTable({ calls }: { calls: readonly Call[] }) {
  return (
    <CardTable caption="Calls" columns={['Call', 'Kind', 'Status', 'Summary', 'Length', 'Owner', 'Changed']}>
      {calls.map((call) => (
        <CallRow key={call.id} call={call} />
      ))}
    </CardTable>
  );
}

function CallRow({ call }: { call: Call }) {
  return (
    <tr>
      <th scope="row">
        <PageLink to="/calls/$callId" params={{ callId: call.id }} fw={600} className="breakable">
          {callTitle(call)}
        </PageLink>
      </th>
      <td data-label="Kind" className="one-line">
        {kindName(call.kind)}
      </td>
      <td data-label="Status">
        <CallState status={call.status} />
      </td>
      <td data-label="Summary">{call.hasSummary ? 'Yes' : 'No'}</td>
      <td data-label="Length" className="one-line">
        {call.durationSeconds === null ? '–' : lasting(call.durationSeconds)}
      </td>
      <td data-label="Owner">{call.owner.name ?? call.owner.email ?? '–'}</td>
      <td data-label="Changed">
        <Ago at={call.updatedAt} />
      </td>
    </tr>
  );
}
