import { Button, List } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { managementApi } from '../api/clients.ts';
import { asSentence } from '../api/field-problems.ts';
import { queries } from '../api/queries.ts';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { ProblemNotice } from '../parts/problem-notice.tsx';
import { type Endpoint, hostOf } from './endpoint.ts';

/** Enables an endpoint. What waits for it becomes due at once. */
export function EnableButton({ endpointId, size = 'sm' }: { endpointId: number; size?: 'xs' | 'sm' }) {
  const { mutate, error, isPending } = managementApi.useMutation('patch', '/webhooks/{id}', {
    onSuccess: () => void queries.invalidateQueries(),
  });
  const problem = error as unknown;
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
      {problem instanceof Error && <ProblemNotice problem={asSentence(problem.message)} />}
    </>
  );
}

interface DisableDialogProps {
  endpoint: Endpoint;
  isOpen: boolean;
  close: () => void;
}

/** Disables an endpoint, after saying what that means. */
export function DisableDialog({ endpoint, isOpen, close }: DisableDialogProps) {
  const { mutate, error, isPending } = managementApi.useMutation('patch', '/webhooks/{id}', {
    onSuccess: () => {
      close();
      void queries.invalidateQueries();
    },
  });
  return (
    <ConfirmDialog
      isOpen={isOpen}
      close={close}
      title={`Disable ${hostOf(endpoint.url)}?`}
      action="Disable"
      error={error}
      isPending={isPending}
      confirm={() => mutate({ params: { path: { id: endpoint.id } }, body: { enabled: false } })}
    >
      <List size="sm" spacing={4}>
        <List.Item>Nothing is sent to it until it is enabled again.</List.Item>
        <List.Item>Deliveries that wait for it are kept, and sent after that.</List.Item>
        <List.Item>
          Events that happen meanwhile are not queued for it: the receiver reads them from the feeds.
        </List.Item>
      </List>
    </ConfirmDialog>
  );
}
