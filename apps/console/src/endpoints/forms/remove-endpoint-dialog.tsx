import { List, TextInput } from '@mantine/core';
import { useState } from 'react';
import { integrationApi } from '../../api/clients.ts';
import { ConfirmDialog } from '../../parts/forms/confirm-dialog.tsx';
import { type Endpoint, endpointHost } from '../endpoint.ts';

interface RemoveEndpointDialogProps {
  endpoint: Endpoint;
  isOpen: boolean;
  close: () => void;
  /** Called when the endpoint is removed; resolves when its page has been left. */
  onRemoved: () => Promise<void>;
}

/** Removes an endpoint after the user has typed its host, because the removal cannot be undone. */
export function RemoveEndpointDialog({ endpoint, isOpen, close, onRemoved }: RemoveEndpointDialogProps) {
  const [typed, setTyped] = useState('');
  const request = integrationApi.useMutation('delete', '/webhooks/{id}', {
    // The page is left before everything is read again, because that would request an endpoint that no longer exists.
    onSuccess: onRemoved,
  });
  const host = endpointHost(endpoint.url);
  return (
    <ConfirmDialog
      isOpen={isOpen}
      close={() => {
        setTyped('');
        request.reset();
        close();
      }}
      title={`Remove ${host}?`}
      action="Remove the endpoint"
      request={request}
      isBlocked={typed.trim() !== host}
      isDestructive
      confirm={() => request.mutate({ params: { path: { id: endpoint.id } } })}
    >
      <List size="sm" spacing={4}>
        <List.Item>No event is sent to it any more.</List.Item>
        <List.Item>Its waiting deliveries become dead letters and cannot be retried.</List.Item>
        <List.Item>Its signing secret and its custom headers are deleted. Its log stays readable.</List.Item>
        <List.Item>This cannot be undone. To stop it temporarily, disable it instead.</List.Item>
      </List>
      <TextInput
        label={`Type ${host} to confirm`}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
    </ConfirmDialog>
  );
}
