import { verifyWebhook } from 'deal-signals/webhooks/verify-webhook';
import { type Bundle, defineTrigger, type Trigger, type ZObject } from 'zapier-platform-core';
import { EVENT_TRIGGERS } from '../generated/events.ts';
import { EVENT_SAMPLES } from '../generated/samples.ts';
import { apiUrl } from '../requests.ts';

/** What Zapier keeps of an endpoint while a Zap is on. */
interface Subscription {
  id: string;
  secret: string;
}

/** Triggers that Zapier hears of at once. Their API key has to have the scope `webhooks`. */
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
  // A server that is not the API may respond with anything, and then no event would ever start the Zap.
  if (typeof data?.data?.id !== 'number' || typeof data.secret !== 'string') {
    throw new z.errors.Error('The server did not respond as the API does: is the base URL right?');
  }
  return { id: String(data.data.id), secret: data.secret };
}

async function unsubscribe(z: ZObject, bundle: Bundle): Promise<object> {
  const { id } = subscriptionOf(bundle);
  // An admin may have removed it.
  await z.request({
    method: 'DELETE',
    url: apiUrl(bundle, `/webhooks/${id}`),
    skipThrowForStatus: true,
  });
  return {};
}

/** Takes an event in. A test event begins nothing. */
async function receive(z: ZObject, bundle: Bundle): Promise<object[]> {
  const { content = '', headers = {} } = bundle.rawRequest ?? {};
  const event = await verifyWebhook(content, withoutPrefix(headers), subscriptionOf(bundle).secret).catch(
    (error: unknown) => {
      throw new z.errors.HaltedError(String(error));
    },
  );
  return event.type === 'integration.ping' ? [] : [event];
}

/** Zapier puts `Http-` before the names of the headers that it has got. */
function withoutPrefix(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase().replace(/^http-/, ''), value]),
  );
}

function subscriptionOf(bundle: Bundle): Subscription {
  return bundle.subscribeData as Subscription;
}
