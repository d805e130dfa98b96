import { List, TextInput } from '@mantine/core';
import { useState } from 'react';
import { managementApi } from '../../api/clients.ts';
import { ConfirmDialog } from '../../parts/forms/confirm-dialog.tsx';
import { type Endpoint, hostOf } from '../endpoint.ts';

interface RemoveEndpointDialogProps {
  endpoint: Endpoint;
  isOpen: boolean;
  close: () => void;
  /** Called when the endpoint is gone; resolves when the page that shows it is left. */
  onRemoved: () => Promise<void>;
}

/** Removes an endpoint after its host was typed, because that cannot be undone. */
export function RemoveEndpointDialog({ endpoint, isOpen, close, onRemoved }: RemoveEndpointDialogProps) {
  const [typed, setTyped] = useState('');
  const request = managementApi.useMutation('delete', '/webhooks/{id}', {
    // The page is left before everything is read again, which would ask for an endpoint that is no longer there.
    onSuccess: onRemoved,
  });
  const host = hostOf(endpoint.url);
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
        <List.Item>Deliveries that wait for it become dead letters and cannot be retried.</List.Item>
        <List.Item>Its signing secret and its custom headers are deleted. Its log stays readable.</List.Item>
        <List.Item>This cannot be undone. To stop for a while, disable it instead.</List.Item>
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
