import { readFileSync } from 'node:fs';
import { deliveryHeaders } from '@deal-signals/sending/headers/delivery-headers';
import { createSender } from '@deal-signals/sending/guard/guarded-send';
import { monotonicMs } from '../measure/compare.ts';

// The floor of the deliveries: the product's own client and signature in a bare loop, without a database and a queue.

/** A body to send to a URL. */
export interface BareDelivery {
  url: string;
  eventId: string;
  body: string;
}

/** Concurrent requests. */
const AT_ONCE = 100;

/** Sends deliveries. The reply is the time at which it began, from `monotonicMs`. */
export async function serve({ caFile, secret }: { caFile: string; secret: string }) {
  const sender = createSender({
    timeoutMs: 10_000,
    ca: readFileSync(caFile, 'utf8'),
    allowedPrivateHosts: new Set(['127.0.0.1']),
  });
  return async (deliveries: BareDelivery[]): Promise<{ startedMs: number }> => {
    const startedMs = monotonicMs();
    let next = 0;
    const loop = async () => {
      for (let own = next++; own < deliveries.length; own = next++) {
        const { url, eventId, body } = deliveries[own]!;
        const what = { deliveryId: BigInt(own), eventId, eventType: 'engagement.recorded' as const, body };
        const headers = deliveryHeaders({ ...what, secret, at: new Date() });
        const result = await sender.send({ url: new URL(url), body, headers });
        if (result.kind !== 'responded' || result.status !== 200) throw new Error(JSON.stringify(result));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, loop));
    return { startedMs };
  };
}
