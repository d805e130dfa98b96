import { Button } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { integrationApi } from '../api/clients.ts';
import { ProblemNotice } from '../parts/problem-notice.tsx';

/** Enables an endpoint. Its waiting deliveries become due at once, and its page offers to send missed events. */
export function EnableButton({ endpointId, size = 'sm' }: { endpointId: number; size?: 'xs' | 'sm' }) {
  const navigate = useNavigate();
  const { mutate, error, isPending } = integrationApi.useMutation('patch', '/webhooks/{id}', {
    // Uses the time of the last success before enabling, so that events sent since then are not sent twice.
    onSuccess: ({ data: { lastSuccessAt, createdAt } }) =>
      navigate({
        to: '/endpoints/$endpointId',
        params: { endpointId: String(endpointId) },
        search: { missedSince: lastSuccessAt ?? createdAt },
      }),
  });
  return (
    <>
      <Button
        size={size}
        leftSection={<IconPlayerPlay size={16} />}
        loading={isPending}
        onClick={() => mutate({ params: { path: { id: endpointId } }, body: { enabled: true } })}
      >
        Enable
      </Button>
      <ProblemNotice error={error} />
    </>
  );
}
