import { readFileSync } from 'node:fs';
import { deliveryHeaders } from '@deal-signals/sending/delivery-headers';
import { createSender } from '@deal-signals/sending/guarded-send';
import { monotonicMs } from '../measure/monotonic.ts';
import { optionsOfParent, serveParent } from '../stack/child.ts';

// The floor of the deliveries: the product's own client and signature in a bare loop, without a database and a queue.

/** What the loop needs to know. */
export interface SenderOptions {
  caFile: string;
  secret: string;
  /** How many requests are under way at the same time. */
  atOnce: number;
}

/** A body to send to a URL. */
export interface BareDelivery {
  url: string;
  eventId: string;
  body: string;
}

/** When the loop began, by `monotonicMs`. */
export interface LoopReport {
  startedAtMs: number;
}

const options = optionsOfParent() as SenderOptions;
const sender = createSender({
  timeoutMs: 10_000,
  ca: readFileSync(options.caFile, 'utf8'),
  allowedPrivateHosts: new Set(['127.0.0.1']),
  dnsServers: null,
});

async function sendAll(deliveries: BareDelivery[]): Promise<LoopReport> {
  const startedAtMs = monotonicMs();
  let next = 0;
  const loop = async () => {
    for (let own = next++; own < deliveries.length; own = next++) {
      const { url, eventId, body } = deliveries[own]!;
      const headers = deliveryHeaders({
        deliveryId: BigInt(own),
        eventId,
        eventType: 'engagement.recorded',
        body,
        secret: options.secret,
        at: new Date(),
      });
      const result = await sender.send({ url: new URL(url), body, headers });
      if (result.kind !== 'responded' || result.status !== 200) throw new Error(JSON.stringify(result));
    }
  };
  await Promise.all(Array.from({ length: options.atOnce }, loop));
  return { startedAtMs };
}

serveParent(sendAll);
