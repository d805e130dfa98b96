import { Button, List, Progress, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { consoleApi, integrationFetch } from '../api/clients.ts';
import { queries } from '../api/queries.ts';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { boundedCount, count } from '../text/numbers.ts';

/** How many deliveries each request makes due, so that progress shows. */
const ROUND = 500;

interface RetryDeadButtonProps {
  endpointId: number;
  endpointName: string;
}

/** Sends all dead deliveries of an endpoint again, after it was confirmed with their number. */
export function RetryDeadButton({ endpointId, endpointName }: RetryDeadButtonProps) {
  // Only what was dead when the dialog opened is sent, as the number in it says.
  const [before, setBefore] = useState<string | null>(null);
  return (
    <>
      <Button size="xs" onClick={() => setBefore(new Date().toISOString())}>
        Retry all
      </Button>
      {before !== null && (
        <RetryDialog
          endpointId={endpointId}
          endpointName={endpointName}
          before={before}
          close={() => setBefore(null)}
        />
      )}
    </>
  );
}

interface RetryDialogProps extends RetryDeadButtonProps {
  /** Only deliveries of events that were created before this time. */
  before: string;
  close: () => void;
}

function RetryDialog({ endpointId, endpointName, before, close }: RetryDialogProps) {
  const [moved, setMoved] = useState(0);
  const isClosed = useRef(false);
  const counted = consoleApi.useQuery(
    'get',
    '/dead-letters/count',
    { params: { query: { endpoint_id: endpointId, before } } },
    { staleTime: Number.POSITIVE_INFINITY },
  );
  const retry = useMutation({
    mutationFn: async () => {
      // Each is moved once, even if it is dead again by then.
      let cursor: string | null | undefined;
      while (cursor !== null && !isClosed.current) {
        const { data } = await integrationFetch.POST('/webhooks/{id}/retry-dead', {
          params: { path: { id: endpointId } },
          body: { before, limit: ROUND, ...(cursor !== undefined && { cursor }) },
        });
        setMoved((sum) => sum + (data?.count ?? 0));
        cursor = data?.nextCursor ?? null;
      }
    },
    onSuccess: close,
    onSettled: () => void queries.invalidateQueries(),
  });
  const total = counted.data;
  return (
    <ConfirmDialog
      isOpen
      close={() => {
        isClosed.current = true;
        close();
      }}
      title={`Retry the dead deliveries of ${endpointName}?`}
      action={
        total === undefined
          ? 'Retry'
          : `Send ${boundedCount(total.count, total.countExact)} ${total.count === 1 ? 'delivery' : 'deliveries'} again`
      }
      error={retry.error ?? counted.error}
      isPending={retry.isPending}
      isBlocked={total === undefined || total.count === 0}
      confirm={() => retry.mutate()}
    >
      <List size="sm" spacing={4}>
        <List.Item>Each is due at once, behind what is new, with all its attempts before it.</List.Item>
        <List.Item>The receiver gets the same event ids as before, so it can discard what it has.</List.Item>
        <List.Item>While the endpoint is disabled, they wait.</List.Item>
      </List>
      {moved > 0 && total !== undefined && (
        <>
          <Progress value={Math.min(100, (100 * moved) / total.count)} aria-label="Progress" />
          <Text size="sm" role="status">
            {count(moved)} are due again.
          </Text>
        </>
      )}
    </ConfirmDialog>
  );
}
