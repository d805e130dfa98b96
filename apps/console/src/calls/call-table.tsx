import type { components } from '../api/generated/console.ts';
import { CardTable } from '../parts/lists/card-table.tsx';
import { PageLink } from '../parts/lists/page-links.tsx';
import { Ago } from '../parts/values/time.tsx';
import { lasting } from '../text/play-time.ts';
import { kindName } from './call-kinds.ts';
import { CallState, callTitle } from './call-words.tsx';

type Call = components['schemas']['Call'];

/** A table of calls, in the given order. */
export function CallTable({ calls }: { calls: readonly Call[] }) {
  return (
    <CardTable
      caption="Calls"
      rows={calls}
      keyOf={({ id }) => id}
      columns={{
        Call: (call) => (
          <PageLink to="/calls/$callId" params={{ callId: call.id }} fw={600} className="breakable">
            {callTitle(call)}
          </PageLink>
        ),
        Kind: ({ kind }) => <span className="one-line">{kindName(kind)}</span>,
        Status: ({ status }) => <CallState status={status} />,
        Summary: ({ hasSummary }) => (hasSummary ? 'Yes' : 'No'),
        Length: ({ durationSeconds }) => (
          <span className="one-line">{durationSeconds === null ? '–' : lasting(durationSeconds)}</span>
        ),
        Owner: ({ owner }) => owner.name ?? owner.email ?? '–',
        Changed: ({ updatedAt }) => <Ago at={updatedAt} />,
      }}
    />
  );
}
