import { List, Progress, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { consoleApi } from '../api/clients.ts';
import { moveDeadLetters } from '../dead-letters/move.ts';
import { ConfirmDialog } from '../parts/forms/confirm-dialog.tsx';
import { boundedCount, count } from '../text/numbers.ts';

interface RetryDeadDialogProps {
  endpointId: number;
  endpointName: string;
  /** Only deliveries of events that were created before this time. */
  before: string;
  close: () => void;
}

/** Confirms the number of dead deliveries of an endpoint, retries them, and shows the progress. */
export function RetryDeadDialog({ endpointId, endpointName, before, close }: RetryDeadDialogProps) {
  const [moved, setMoved] = useState(0);
  const [closing] = useState(() => new AbortController());
  const counted = consoleApi.useQuery(
    'get',
    '/dead-letters/count',
    { params: { query: { endpoint_id: endpointId, before } } },
    { staleTime: Number.POSITIVE_INFINITY },
  );
  const retry = useMutation({
    mutationFn: async (dead: { count: number; countExact: boolean }) =>
      moveDeadLetters(
        'retry',
        [{ selection: { endpointId, before }, count: dead.count, isExact: dead.countExact }],
        setMoved,
        closing.signal,
      ),
    onSuccess: close,
  });
  const total = counted.data;
  return (
    <ConfirmDialog
      isOpen
      close={() => {
        closing.abort();
        close();
      }}
      title={`Retry the dead deliveries of ${endpointName}?`}
      action={
        total === undefined
          ? 'Retry'
          : `Send ${boundedCount(total.count, total.countExact)} ${total.count === 1 ? 'delivery' : 'deliveries'} again`
      }
      request={{ error: retry.error ?? counted.error, isPending: retry.isPending }}
      isBlocked={total === undefined || total.count === 0}
      confirm={() => total !== undefined && retry.mutate(total)}
    >
      <List size="sm" spacing={4}>
        <List.Item>Each becomes due at once, after new events, with a new schedule of attempts.</List.Item>
        <List.Item>The event ids stay the same, so the receiver can discard duplicates.</List.Item>
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
