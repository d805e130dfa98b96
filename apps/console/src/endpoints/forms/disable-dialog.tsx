import { List } from '@mantine/core';
import { integrationApi } from '../../api/clients.ts';
import { ConfirmDialog } from '../../parts/forms/confirm-dialog.tsx';
import { type Endpoint, endpointHost } from '../endpoint.ts';

interface DisableDialogProps {
  endpoint: Endpoint;
  isOpen: boolean;
  close: () => void;
}

/** Disables an endpoint, after explaining the effect. */
export function DisableDialog({ endpoint, isOpen, close }: DisableDialogProps) {
  const request = integrationApi.useMutation('patch', '/webhooks/{id}', { onSuccess: close });
  return (
    <ConfirmDialog
      isOpen={isOpen}
      close={close}
      title={`Disable ${endpointHost(endpoint.url)}?`}
      action="Disable"
      request={request}
      confirm={() => request.mutate({ params: { path: { id: endpoint.id } }, body: { enabled: false } })}
    >
      <List size="sm" spacing={4}>
        <List.Item>Nothing is sent to it until it is enabled again.</List.Item>
        <List.Item>Waiting deliveries are kept, and sent after that.</List.Item>
        <List.Item>
          Events that happen while it is disabled are not queued. Once it is enabled again, you can send the
          events that it missed.
        </List.Item>
      </List>
    </ConfirmDialog>
  );
}
