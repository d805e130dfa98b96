import type { ReactNode } from 'react';
import { asSentence } from '../api/failures.ts';
import { EnableButton } from '../endpoints/enable-button.tsx';
import { failuresLeftInWords, endpointLabel } from '../endpoints/endpoint.ts';
import { rateLimitedInWords } from '../endpoints/rate-limit-words.ts';
import { PageButton } from '../parts/lists/page-links.tsx';
import { Ago } from '../parts/values/time.tsx';
import { boundedCount, count } from '../text/numbers.ts';
import type { Attention } from './overview-data.ts';
import { RetryDeadButton } from './retry-dead-button.tsx';

interface AttentionText {
  /** The severity: something has stopped, may stop, or is still to be done. */
  tone: 'danger' | 'warning' | 'plain';
  title: string;
  detail: ReactNode;
  /** The button that fixes the problem, or leads to the right page. */
  action: ReactNode;
}

/** Returns the text and the remedy for something that needs attention. */
export function attentionText(item: Attention): AttentionText {
  switch (item.kind) {
    case 'endpoint_disabled':
      return {
        tone: 'danger',
        title: `${endpointLabel(item.url)} is disabled`,
        detail: (
          <>
            {item.disabledAt !== null && (
              <>
                It was disabled <Ago at={item.disabledAt} />.{' '}
              </>
            )}
            {item.reason !== null && asSentence(item.reason)}{' '}
            {item.lastError !== null && `${asSentence(`the last failure: ${item.lastError}`)} `}
            {waiting(item)} it.
          </>
        ),
        action: <EnableButton endpointId={item.endpointId} size="xs" />,
      };
    case 'deliveries_overdue':
      return {
        tone: 'danger',
        title: `Deliveries to ${endpointLabel(item.url)} are late`,
        detail: (
          <>
            The first has been due since <Ago at={item.dueAt} />. {waiting(item)} it.
          </>
        ),
        action: toEndpoint(item.endpointId, 'See pending deliveries', { status: 'pending' }),
      };
    case 'endpoint_failing':
      return {
        tone: 'warning',
        title: `${endpointLabel(item.url)} is failing`,
        detail: (
          <>
            {count(item.consecutiveFailures)} attempts in a row have failed
            {item.failingSince !== null && (
              <>
                , the first <Ago at={item.failingSince} />
              </>
            )}
            . {asSentence(failuresLeftInWords(item.failuresLeft))}{' '}
            {item.lastError !== null && asSentence(item.lastError)}
          </>
        ),
        action: toEndpoint(item.endpointId, 'See why'),
      };
    case 'endpoint_unverified':
      return {
        tone: 'warning',
        title: `${endpointLabel(item.url)} awaits a test`,
        detail: <>{waiting(item)} it until the receiver has accepted a test event.</>,
        action: toEndpoint(item.endpointId, 'Test it'),
      };
    case 'dead_letters': {
      const number = boundedCount(item.deadDeliveries, item.deadDeliveriesExact);
      return {
        tone: 'warning',
        title: `${number} dead ${item.deadDeliveries === 1 ? 'delivery' : 'deliveries'} to ${endpointLabel(item.url)}`,
        detail: (
          <>
            Dead deliveries are not retried automatically.
            {item.oldestAt !== null && (
              <>
                {' '}
                The oldest event is from <Ago at={item.oldestAt} />.
              </>
            )}
          </>
        ),
        action: <RetryDeadButton endpointId={item.endpointId} endpointName={endpointLabel(item.url)} />,
      };
    }
    case 'key_expiring':
      return {
        tone: 'warning',
        title: `The API key ${item.name} expires soon`,
        detail: (
          <>
            It stops working <Ago at={item.expiresAt} />
            {item.lastUsedAt !== null && (
              <>
                , and was last used <Ago at={item.lastUsedAt} />
              </>
            )}
            .{item.rotatedAt !== null && ' Its successor is not in use everywhere yet.'}
          </>
        ),
        action: (
          // The page scrolls to the row of the key, not to its top.
          <PageButton
            to="/api-keys"
            search={{ key: item.keyId }}
            resetScroll={false}
            size="xs"
            variant="default"
          >
            Go to the key
          </PageButton>
        ),
      };
    case 'deliveries_rate_limited':
      return {
        tone: 'plain',
        title: `Deliveries to ${endpointLabel(item.url)} wait for its rate limit`,
        detail: rateLimitedInWords(item),
        action: toEndpoint(item.endpointId, 'See pending deliveries', { status: 'pending' }),
      };
    case 'no_endpoint':
      return {
        tone: 'plain',
        title: 'No endpoint receives webhooks',
        detail: 'Consumers can poll the feeds. With an endpoint they receive events within seconds.',
        action: (
          <PageButton to="/endpoints/new" size="xs" variant="default">
            Add an endpoint
          </PageButton>
        ),
      };
    default:
      return {
        tone: 'plain',
        title: 'No API key is active',
        detail: 'No external system can read the workspace.',
        action: (
          <PageButton to="/api-keys" search={{ create: true }} size="xs" variant="default">
            Create a key
          </PageButton>
        ),
      };
  }
}

function waiting(item: { pendingDeliveries: number; pendingDeliveriesExact: boolean }): string {
  const { pendingDeliveries, pendingDeliveriesExact } = item;
  if (pendingDeliveries === 0) return 'No deliveries wait for';
  const number = boundedCount(pendingDeliveries, pendingDeliveriesExact);
  return `${number} ${pendingDeliveries === 1 ? 'delivery waits' : 'deliveries wait'} for`;
}

function toEndpoint(endpointId: number, label: string, search: { status?: 'pending' } = {}): ReactNode {
  return (
    <PageButton
      to="/endpoints/$endpointId"
      params={{ endpointId: String(endpointId) }}
      search={search}
      size="xs"
      variant="default"
    >
      {label}
    </PageButton>
  );
}
