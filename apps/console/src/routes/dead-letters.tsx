import { Alert, Button, Group, SegmentedControl, Stack } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { createFileRoute } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { consoleApi, integrationApi } from '../api/clients.ts';
import { LIVE_MS } from '../api/queries.ts';
import { EndpointGroups } from '../dead-letters/endpoint-groups.tsx';
import { MoveDialog } from '../dead-letters/move-dialog.tsx';
import type { Action, Selection } from '../dead-letters/move.ts';
import { PageHead } from '../parts/page-head.tsx';
import { EmptyScreen } from '../status-screens/empty-screen.tsx';
import { isPeriod, type Period, periodStart } from '../text/periods.ts';

export const Route = createFileRoute('/dead-letters')({
  validateSearch: ({ last }: Record<string, unknown>): { last?: Period } => (isPeriod(last) ? { last } : {}),
  component: DeadLetters,
});

const CHOICES: readonly { value: Period | 'all'; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'hour', label: 'Last hour' },
  { value: 'yesterday', label: 'Since yesterday' },
  { value: 'week', label: '7 days' },
];

function DeadLetters() {
  const { last } = Route.useSearch();
  const navigate = Route.useNavigate();
  const since = useMemo(
    () => (last === undefined ? undefined : periodStart(last, new Date()).toISOString()),
    [last],
  );
  const [move, setMove] = useState<{ action: Action; selections: Selection[] } | null>(null);
  const [isOpen, setOpen] = useState(false);
  const { data } = consoleApi.useSuspenseQuery('get', '/dead-letters', {}, { refetchInterval: LIVE_MS });
  const { data: endpoints } = integrationApi.useQuery('get', '/webhooks', {});
  const groups = data.data.filter(({ newestAt }) => since === undefined || newestAt >= since);
  const endpointIds = [...new Set(groups.map(({ endpointId }) => endpointId))];
  const ask = (action: Action, selections: Selection[]) => {
    setMove({ action, selections });
    setOpen(true);
  };
  const all = endpointIds.map((endpointId) => ({ endpointId, ...(since !== undefined && { since }) }));
  return (
    <>
      <PageHead
        title="Dead letters"
        actions={
          <Button
            leftSection={<IconRefresh size={16} aria-hidden />}
            disabled={groups.length === 0}
            onClick={() => ask('retry', all)}
          >
            {last === undefined ? 'Retry all' : 'Retry all since then'}
          </Button>
        }
      >
        Deliveries that failed permanently. Nothing is sent again until you confirm how many.
      </PageHead>
      <Group mb="md">
        <SegmentedControl
          aria-label="Period"
          data={CHOICES.map(({ value, label }) => ({ value, label }))}
          value={last ?? 'all'}
          onChange={(value) =>
            void navigate({ search: isPeriod(value) ? { last: value } : {}, replace: true })
          }
        />
      </Group>
      {groups.length === 0 ? (
        <div className="panel">
          <EmptyScreen title={last === undefined ? 'No dead letters' : 'No dead letters in this period'}>
            {last === undefined
              ? 'A delivery becomes a dead letter when its last attempt fails, or its receiver responds with 410 Gone.'
              : 'Older ones are under "All".'}
          </EmptyScreen>
        </div>
      ) : (
        <Stack>
          {!data.isComplete && (
            <Alert color="blue" title="There are more dead letters than shown here">
              Only the newest 1,000 of each endpoint are grouped. Retrying or dismissing all of an endpoint
              includes the older ones.
            </Alert>
          )}
          {endpointIds.map((endpointId) => (
            <EndpointGroups
              key={endpointId}
              endpointId={endpointId}
              groups={groups.filter((group) => group.endpointId === endpointId)}
              since={since}
              move={(action, selection) => ask(action, [selection])}
            />
          ))}
        </Stack>
      )}
      {move !== null && (
        <MoveDialog
          action={move.action}
          selections={move.selections}
          endpoints={endpoints?.data ?? []}
          isOpen={isOpen}
          close={() => setOpen(false)}
        />
      )}
    </>
  );
}
