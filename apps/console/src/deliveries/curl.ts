import type { DeliveryDetail } from './delivery-detail.ts';

/** The usual address of a receiver in development. */
const RECEIVER = 'http://localhost:3000/webhooks';

/**
 * Returns a command that posts the body of a delivery to a receiver on the reader's own machine. It has all headers of an
 * attempt except the signatures, because the endpoint's secret cannot be read.
 */
export function curlCommand({ id, eventId, eventType, payload }: DeliveryDetail): string {
  const headers = [
    'Content-Type: application/json',
    `X-Service-Event: ${eventType}`,
    `X-Service-Event-Id: ${eventId}`,
    `X-Service-Delivery: ${id}`,
    `webhook-id: ${eventId}`,
  ];
  return [
    `curl -i -X POST ${RECEIVER}`,
    ...headers.map((header) => `  -H ${quoted(header)}`),
    `  --data-raw ${quoted(JSON.stringify(payload))}`,
  ].join(' \\\n');
}

/** Quotes a text as one word of a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
