import { Button } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { managementApi } from '../api/clients.ts';
import { ProblemNotice } from '../parts/problem-notice.tsx';

/** Enables an endpoint. What waits for it becomes due at once. */
export function EnableButton({ endpointId, size = 'sm' }: { endpointId: number; size?: 'xs' | 'sm' }) {
  const { mutate, error, isPending } = managementApi.useMutation('patch', '/webhooks/{id}');
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
