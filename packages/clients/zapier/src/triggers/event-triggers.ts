import { verifyWebhook } from 'deal-signals/webhooks/verify-webhook';
import { type Bundle, defineTrigger, type Trigger, type ZObject } from 'zapier-platform-core';
import { EVENT_TRIGGERS } from '../generated/events.ts';
import { EVENT_SAMPLES } from '../generated/samples.ts';
import { apiUrl } from '../requests.ts';

/** The data that Zapier stores about an endpoint while a Zap is on. */
interface Subscription {
  id: string;
  secret: string;
}

/** Triggers that receive webhooks. Their API key needs the scope `webhooks`. */
export const eventTriggers: Record<string, Trigger> = Object.fromEntries(
  EVENT_TRIGGERS.map(({ key, type, noun, label, when }) => [
    key,
    defineTrigger({
      key,
      noun,
      display: { label, description: `Triggers ${when}. Instant: the API key needs the scope "webhooks".` },
      operation: {
        type: 'hook',
        performSubscribe: (z, bundle) => subscribe(z, bundle, type),
        performUnsubscribe: unsubscribe,
        perform: receive,
        performList: () => [EVENT_SAMPLES[type]],
        sample: EVENT_SAMPLES[type],
      },
    }),
  ]),
);

async function subscribe(z: ZObject, bundle: Bundle, type: string): Promise<Subscription> {
  const { data } = await z.request<{ secret?: string; data?: { id?: number } } | undefined>({
    method: 'POST',
    url: apiUrl(bundle, '/webhooks'),
    body: { url: bundle.targetUrl, events: [type], description: 'Zapier' },
  });
  // Another server may respond with anything, and then no event could start the Zap.
  if (typeof data?.data?.id !== 'number' || typeof data.secret !== 'string') {
    throw new z.errors.Error('The server did not respond like the Deal Signals API: is the base URL right?');
  }
  return { id: String(data.data.id), secret: data.secret };
}

async function unsubscribe(z: ZObject, bundle: Bundle): Promise<object> {
  const { id } = getSubscription(bundle);
  // An admin may have removed the endpoint.
  await z.request({
    method: 'DELETE',
    url: apiUrl(bundle, `/webhooks/${id}`),
    skipThrowForStatus: true,
  });
  return {};
}

/** Receives an event. A test event starts nothing. */
async function receive(z: ZObject, bundle: Bundle): Promise<object[]> {
  const { content = '', headers = {} } = bundle.rawRequest ?? {};
  const event = await verifyWebhook(content, withoutPrefix(headers), getSubscription(bundle).secret).catch(
    (error: unknown) => {
      throw new z.errors.HaltedError(String(error));
    },
  );
  return event.type === 'integration.ping' ? [] : [event];
}

/** Removes the prefix `Http-` that Zapier adds to the names of received headers. */
function withoutPrefix(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase().replace(/^http-/, ''), value]),
  );
}

function getSubscription(bundle: Bundle): Subscription {
  return bundle.subscribeData as Subscription;
}
