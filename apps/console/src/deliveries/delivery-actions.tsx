import { Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCopyPlus, IconRefresh } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { integrationApi } from '../api/clients.ts';
import { type Endpoint, endpointHost } from '../endpoints/endpoint.ts';
import { ConfirmDialog } from '../parts/forms/confirm-dialog.tsx';
import type { Delivery } from './use-delivery-log.ts';

interface DeliveryActionsProps {
  delivery: Delivery;
  /** Null if it was removed: nothing more is sent to it. */
  endpoint: Endpoint | null;
}

/** The actions of an admin on a delivery: retry it, or send its event again. */
export function DeliveryActions({ delivery, endpoint }: DeliveryActionsProps) {
  if (endpoint === null)
    return <Text size="sm">Its endpoint was removed, so nothing more is sent to it.</Text>;
  return (
    <Group gap="sm">
      {delivery.status !== 'delivered' && <RetryButton delivery={delivery} endpoint={endpoint} />}
      <ResendButton delivery={delivery} endpoint={endpoint} />
    </Group>
  );
}

function pathParameters({ id, endpointId }: Delivery) {
  return { params: { path: { id: endpointId, deliveryId: id } } };
}

/** Makes a delivery due at once. */
export function RetryButton({ delivery, endpoint }: { delivery: Delivery; endpoint: Endpoint }) {
  const [isOpen, { open, close }] = useDisclosure();
  const request = integrationApi.useMutation('post', '/webhooks/{id}/deliveries/{deliveryId}/retry', {
    onSuccess: close,
  });
  return (
    <>
      <Button
        leftSection={<IconRefresh size={16} aria-hidden />}
        onClick={() => {
          request.reset();
          open();
        }}
      >
        Retry
      </Button>
      <ConfirmDialog
        isOpen={isOpen}
        close={close}
        title="Retry this delivery?"
        action="Retry now"
        request={request}
        confirm={() => request.mutate(pathParameters(delivery))}
      >
        <Text size="sm">
          1 delivery becomes due for <strong>{endpointHost(endpoint.url)}</strong>
          {delivery.status === 'dead' ? ', with a new schedule of attempts.' : ' at once.'}
        </Text>
        {!endpoint.enabled && (
          <Text size="sm">The endpoint is disabled: the delivery is sent when it is enabled again.</Text>
        )}
      </ConfirmDialog>
    </>
  );
}

/** Creates a new delivery of the same event. */
function ResendButton({ delivery, endpoint }: { delivery: Delivery; endpoint: Endpoint }) {
  const navigate = useNavigate();
  const [isOpen, { open, close }] = useDisclosure();
  const request = integrationApi.useMutation('post', '/webhooks/{id}/deliveries/{deliveryId}/resend', {
    onSuccess: ({ data }) => {
      close();
      void navigate({ to: '/deliveries/$deliveryId', params: { deliveryId: data.id } });
    },
  });
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconCopyPlus size={16} aria-hidden />}
        onClick={() => {
          request.reset();
          open();
        }}
      >
        Send again
      </Button>
      <ConfirmDialog
        isOpen={isOpen}
        close={close}
        title="Send this event again?"
        action="Send again"
        request={request}
        confirm={() => request.mutate(pathParameters(delivery))}
      >
        <Text size="sm">
          This creates a new delivery of the same event to <strong>{endpointHost(endpoint.url)}</strong>,
          independent of this one. The body and the event id are the same, so a receiver that remembers event
          ids treats it as a duplicate.
        </Text>
        {!endpoint.enabled && (
          <Text size="sm">The endpoint is disabled: the delivery is sent when it is enabled again.</Text>
        )}
      </ConfirmDialog>
    </>
  );
}
