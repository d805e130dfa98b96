import { consoleApi } from '../api/clients.ts';
import type { components } from '../api/generated/console.ts';
import { LIVE_MS } from '../api/queries.ts';

/** A delivery with its payload and its attempts. */
export type DeliveryDetail = components['schemas']['WebhookDeliveryDetail'];

/** One attempt of a delivery. */
export type Attempt = components['schemas']['WebhookAttempt'];

/** Reads a delivery, again and again while its outcome is open. */
export function useDeliveryDetail(id: string): {
  delivery: DeliveryDetail | undefined;
  error: unknown;
  readAgain: () => void;
} {
  const { data, error, refetch } = consoleApi.useQuery(
    'get',
    '/webhook-deliveries/{id}',
    { params: { path: { id } } },
    { refetchInterval: ({ state }) => (state.data?.data.status === 'pending' ? LIVE_MS / 2 : false) },
  );
  return { delivery: data?.data, error, readAgain: () => void refetch() };
}
