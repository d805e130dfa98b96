import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus, IconRefresh } from '@tabler/icons-react';
import { integrationApi } from '../api/clients.ts';
import { RetryButton } from '../deliveries/delivery-actions.tsx';
import { EnableButton } from '../endpoints/enable-button.tsx';
import { type Endpoint, endpointHost } from '../endpoints/endpoint.ts';
import { ConfirmDialog } from '../parts/forms/confirm-dialog.tsx';
import { PageButton } from '../parts/lists/page-links.tsx';
import { isEventType } from '../text/event-types.ts';
import type { WhyEndpoint, WhyVerdict } from './sentences.ts';

interface RemedyProps {
  /** The most important reason at this endpoint. */
  verdict: WhyVerdict;
  why: WhyEndpoint;
  /** The current configuration of the endpoint; undefined if it was removed. */
  endpoint: Endpoint | undefined;
  /** Asks whether to retry these dead deliveries. */
  retry: (deliveryIds: string[]) => void;
}

/** Shows the button that fixes the problem at an endpoint; nothing if there is no problem or no fix. */
export function Remedy({ verdict, why, endpoint, retry }: RemedyProps) {
  if (endpoint === undefined || !verdict.isCertain) return null;
  switch (verdict.code) {
    case 'dead':
      // Retries at a disabled endpoint would only wait, so it has to be enabled first.
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
function RetryDead({ why, retry }: Pick<RemedyProps, 'why' | 'retry'>) {
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

/** Adds event types to the subscription of an endpoint. */
function Subscribe({ types, endpoint }: { types: readonly string[]; endpoint: Endpoint }) {
  const [isOpen, { open, close }] = useDisclosure();
  const request = integrationApi.useMutation('patch', '/webhooks/{id}', { onSuccess: close });
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
        title={`Send more events to ${endpointHost(endpoint.url)}?`}
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
          From now on, the endpoint receives every <strong>{missing.join(', ')}</strong> of the workspace.
          Earlier events are not sent automatically: choose “Send what it missed” on its page.
        </Text>
      </ConfirmDialog>
    </>
  );
}
