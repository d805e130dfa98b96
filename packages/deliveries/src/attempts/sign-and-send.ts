import type { CustomHeader } from '@deal-signals/sending/headers/custom-headers';
import { deliveryHeaders, type SignedDelivery } from '@deal-signals/sending/headers/delivery-headers';
import { checkEndpointUrl } from '@deal-signals/sending/guard/endpoint-url';
import type { Sender, SendResult } from '@deal-signals/sending/guard/guarded-send';
import type { WebhookSettings } from '../settings.ts';

/** A request to a receiver, before it is signed. */
export interface Unsigned extends Omit<SignedDelivery, 'at'> {
  url: string;
  customHeaders: readonly CustomHeader[];
}

/** Signs a request as of now and sends it, unless the settings no longer allow its URL. */
export async function signAndSend(
  sender: Sender,
  settings: Pick<WebhookSettings, 'allowedPrivateHosts' | 'allowedPorts'>,
  { url, customHeaders, ...delivery }: Unsigned,
): Promise<SendResult> {
  const check = checkEndpointUrl(url, settings.allowedPrivateHosts, settings.allowedPorts);
  if (!check.ok) return { kind: 'not_sent', error: `the URL ${check.reason}`, durationMs: 0 };
  const headers = deliveryHeaders({ ...delivery, at: new Date() });
  return sender.send({ url: check.url, body: delivery.body, headers, customHeaders });
}
