import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus, IconRefresh } from '@tabler/icons-react';
import { managementApi } from '../api/clients.ts';
import { RetryButton } from '../deliveries/delivery-actions.tsx';
import { EnableButton } from '../endpoints/enable-button.tsx';
import { type Endpoint, hostOf } from '../endpoints/endpoint.ts';
import { ConfirmDialog } from '../parts/forms/confirm-dialog.tsx';
import { PageButton } from '../parts/lists/page-links.tsx';
import { isEventType } from '../text/event-types.ts';
import type { WhyEndpoint, WhyVerdict } from './sentences.ts';

interface MendProps {
  /** The most important reason at this endpoint. */
  verdict: WhyVerdict;
  why: WhyEndpoint;
  /** The endpoint as it can be changed; undefined if it was removed. */
  endpoint: Endpoint | undefined;
  /** Asks whether to retry these dead deliveries. */
  retry: (deliveryIds: string[]) => void;
}

/** The one button that mends what is wrong at an endpoint; nothing if nothing is, or nothing can be done. */
export function Mend({ verdict, why, endpoint, retry }: MendProps) {
  if (endpoint === undefined || !verdict.isCertain) return null;
  switch (verdict.code) {
    case 'dead':
      // What is retried at a disabled endpoint only waits: it has to be enabled first.
      if (!endpoint.enabled) return <EnableButton endpointId={endpoint.id} />;
      return <RetryDead why={why} retry={retry} />;
    case 'waiting': {
      const delivery = why.deliveries.find(({ id }) => id === verdict.deliveryId);
      if (verdict.count > 1 || verdict.attempts === 0 || delivery === undefined) return null;
      return <RetryButton delivery={delivery} endpoint={endpoint} />;
    }
    case 'parked_disabled':
    case 'disabled_then':
      return endpoint.enabled ? null : <EnableButton endpointId={endpoint.id} />;
    case 'awaiting_verification':
      return (
        <PageButton to="/endpoints/$endpointId" params={{ endpointId: String(endpoint.id) }}>
          Test the endpoint
        </PageButton>
      );
    case 'not_subscribed':
      return <Subscribe types={verdict.eventTypes} endpoint={endpoint} />;
    case 'filtered':
      return (
        <PageButton to="/endpoints/$endpointId/change" params={{ endpointId: String(endpoint.id) }}>
          Change the filter
        </PageButton>
      );
    default:
      return null;
  }
}

/** Offers to retry the dead deliveries that are shown as evidence. */
function RetryDead({ why, retry }: Pick<MendProps, 'why' | 'retry'>) {
  const deliveryIds = why.deliveries
    .filter(({ status, dismissedAt }) => status === 'dead' && dismissedAt === null)
    .map(({ id }) => id);
  if (deliveryIds.length === 0) return null;
  return (
    <Button leftSection={<IconRefresh size={16} aria-hidden />} onClick={() => retry(deliveryIds)}>
      Retry {deliveryIds.length === 1 ? 'it' : `these ${deliveryIds.length}`}
    </Button>
  );
}

/** Adds event types to those that an endpoint subscribes to. */
function Subscribe({ types, endpoint }: { types: readonly string[]; endpoint: Endpoint }) {
  const [isOpen, { open, close }] = useDisclosure();
  const request = managementApi.useMutation('patch', '/webhooks/{id}', { onSuccess: close });
  const has = (type: string) => endpoint.events.includes(type) || endpoint.events.includes('*');
  const missing = types.filter(isEventType).filter((type) => !has(type));
  if (missing.length === 0) return null;
  return (
    <>
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={open}>
        Subscribe to {missing.length === 1 ? 'it' : 'them'}
      </Button>
      <ConfirmDialog
        isOpen={isOpen}
        close={close}
        title={`Send more events to ${hostOf(endpoint.url)}?`}
        action="Subscribe"
        request={request}
        confirm={() =>
          request.mutate({
            params: { path: { id: endpoint.id } },
            body: { events: [...endpoint.events.filter(isEventType), ...missing] },
          })
        }
      >
        <Text size="sm" className="breakable">
          From now on, the endpoint is sent every <strong>{missing.join(', ')}</strong> of the workspace. What
          it has missed is not sent by itself: choose “Send what it missed” on its page.
        </Text>
      </ConfirmDialog>
    </>
  );
}
