import { Button, Group, Modal, Skeleton, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { integrationFetch, integrationApi } from '../api/clients.ts';
import { queries } from '../api/queries.ts';
import { TimeField } from '../parts/forms/time-field.tsx';
import { ProblemNotice } from '../parts/problem-notice.tsx';
import { boundedCount, count } from '../text/numbers.ts';
import { type Endpoint, endpointHost } from './endpoint.ts';

interface MissedDialogProps {
  endpoint: Endpoint;
  /** The start of the period in which it may have missed events. */
  since: string;
  close: () => void;
}

/** The progress of the requests. */
type Sending = { queued: number; isDone: boolean; error: unknown };

/** Counts the events that were never sent to an endpoint, and queues them after confirmation. */
export function MissedDialog({ endpoint, since: first, close }: MissedDialogProps) {
  const [since, setSince] = useState(first);
  const [sending, setSending] = useState<Sending | null>(null);
  const [stopping] = useState(() => new AbortController());
  const params = { path: { id: endpoint.id } };
  const { data: found, error } = integrationApi.useQuery(
    'post',
    '/webhooks/{id}/replay-missing',
    { params, body: { since, dryRun: true } },
    // A number that the user confirms must be fresh.
    { enabled: sending === null, gcTime: 0, staleTime: 0 },
  );
  const start = async () => {
    let queued = 0;
    setSending({ queued, isDone: false, error: null });
    try {
      for (let nextSince: string | null | undefined; nextSince !== null && !stopping.signal.aborted;) {
        const body = { since, dryRun: false, ...(nextSince !== undefined && { nextSince }) };
        const { data } = await integrationFetch.POST('/webhooks/{id}/replay-missing', { params, body });
        queued += data!.count;
        nextSince = data!.nextSince;
        setSending({ queued, isDone: false, error: null });
      }
      setSending({ queued, isDone: true, error: null });
    } catch (failure) {
      setSending({ queued, isDone: true, error: failure });
    }
    void queries.invalidateQueries();
  };
  const end = () => {
    stopping.abort();
    close();
  };
  return (
    <Modal
      opened
      onClose={end}
      title="Send what it missed"
      centered
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack>
        {sending !== null ? (
          <>
            <Text size="sm" role="status">
              {count(sending.queued)} {sending.queued === 1 ? 'event is' : 'events are'} queued
              {sending.isDone ? '.' : ' so far …'}
            </Text>
            <ProblemNotice error={sending.error} />
          </>
        ) : (
          <>
            <TimeField label="Since" value={since} onChange={(at) => setSince(at ?? first)} />
            {found === undefined && error === null && (
              <Skeleton height={40} role="status" aria-label="Counting" />
            )}
            <ProblemNotice error={error} />
            {found !== undefined && (
              <Text size="sm">
                {found.count === 0 && !found.hasMore
                  ? 'It has not missed any events: everything since then was sent or is waiting.'
                  : `${boundedCount(found.count, !found.hasMore)} ${found.count === 1 ? 'event' : 'events'} since then were never queued for ${endpointHost(endpoint.url)}. They are sent with their current data, after all new events.`}
              </Text>
            )}
          </>
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={end}>
            {sending === null ? 'Not now' : sending.isDone ? 'Close' : 'Stop here'}
          </Button>
          {sending === null && found !== undefined && (found.count > 0 || found.hasMore) && (
            <Button onClick={() => void start()}>Send {boundedCount(found.count, !found.hasMore)}</Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}
