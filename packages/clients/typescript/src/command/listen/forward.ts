import { messageOf } from '../../errors.ts';
import { wait } from '../../feeds/waiting.ts';
import { signedDelivery } from './signed-delivery.ts';

/** The timeout that the service applies to receivers. */
const ATTEMPT_TIMEOUT_MS = 10_000;
/** Waits before the second and the third attempt. They are short, because a developer is watching. */
const RETRY_WAITS_MS = [1_000, 5_000];

/** The URL that deliveries are sent to, and the secret that signs them. */
export interface LocalEndpoint {
  url: string;
  secret: string;
  signal: AbortSignal;
  /** Called with the result of each attempt. */
  onAttempt: (outcome: string) => void;
}

/** Posts an event to a local program. Makes up to three attempts, each with a new signature. */
export async function forward(
  event: { id: string; type: string; body: string },
  deliveryId: number,
  { url, secret, signal, onAttempt }: LocalEndpoint,
): Promise<void> {
  for (const retryWaitMs of [...RETRY_WAITS_MS, null]) {
    const { isDelivered, outcome } = await attempt(event, deliveryId, { url, secret, signal });
    if (signal.aborted) return;
    const next = retryWaitMs === null ? 'giving up' : `trying again in ${retryWaitMs / 1_000} s`;
    onAttempt(isDelivered ? outcome : `${outcome}; ${next}`);
    if (isDelivered || retryWaitMs === null) return;
    await wait(retryWaitMs, signal);
    if (signal.aborted) return;
  }
}

async function attempt(
  event: { id: string; type: string; body: string },
  deliveryId: number,
  { url, secret, signal }: Pick<LocalEndpoint, 'url' | 'secret' | 'signal'>,
): Promise<{ isDelivered: boolean; outcome: string }> {
  try {
    const { headers, body } = await signedDelivery(event, deliveryId, secret, new Date());
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(ATTEMPT_TIMEOUT_MS)]),
    });
    await response.arrayBuffer();
    return { isDelivered: response.ok, outcome: String(response.status) };
  } catch (error) {
    return { isDelivered: false, outcome: messageOf(error) };
  }
}
