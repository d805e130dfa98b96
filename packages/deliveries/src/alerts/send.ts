import type { Database } from '@deal-signals/db/database';
import { checkEndpointUrl } from '@deal-signals/sending/guard/endpoint-url';
import type { Sender, SendResult } from '@deal-signals/sending/guard/guarded-send';
import { NO_RESPONSE } from '@deal-signals/sending/guard/send-error';
import { decryptAlertTarget } from '@deal-signals/sending/secrets/alert-target';
import { UnreadableSecretError } from '@deal-signals/sending/secrets/encrypted-text';
import { describeResponse, classifyResult } from '../attempts/outcome.ts';
import { signAndSend } from '../attempts/sign-and-send.ts';
import { NO_ID } from '../admin-actions/url-test.ts';
import type { WebhookSettings } from '../settings.ts';

/** The stored target of a channel. */
export interface ChannelTarget {
  companyId: number;
  targetCiphertext: Uint8Array;
}

/** A message in the form that its channel accepts. */
export interface ChannelMessage {
  id: string;
  type: string;
  body: string;
}

/** The result of an attempt to send a message. */
export interface AlertResult {
  /** Why the message was not accepted, in words that admins may read; null if it was. */
  error: string | null;
  statusCode: number | null;
  /** The cause for the log, which may contain more than admins may read. */
  detail?: string;
}

/**
 * Sends a message to a channel through the SSRF guard of deliveries.
 *
 * The result never shows how a connection failed. That would reveal which ports of a host are open, and a channel, unlike an endpoint,
 * does not record which host has responded before.
 *
 * @returns null if the sender was closed during the attempt.
 */
export async function sendToChannel(
  sender: Sender,
  settings: WebhookSettings,
  { companyId, targetCiphertext }: ChannelTarget,
  { id, type, body }: ChannelMessage,
): Promise<AlertResult | null> {
  let result: SendResult;
  try {
    const { url, secret } = decryptAlertTarget(settings.secretKeys, companyId, targetCiphertext);
    if (secret === null) {
      const check = checkEndpointUrl(url, settings.allowedPrivateHosts, settings.allowedPorts);
      if (!check.ok) return { error: `the URL ${check.reason}`, statusCode: null };
      result = await sender.send({ url: check.url, body, headers: { 'Content-Type': 'application/json' } });
    } else {
      const message = { url, secret, body, deliveryId: BigInt(NO_ID), eventId: id, eventType: type };
      result = await signAndSend(sender, settings, { ...message, customHeaders: [] });
    }
  } catch (error) {
    if (!(error instanceof UnreadableSecretError)) throw error;
    return { error: 'the URL cannot be read', statusCode: null, detail: error.message };
  }
  if (result.kind === 'interrupted') return null;
  if (result.kind === 'responded')
    return { error: describeResponse(result.status, classifyResult(result)), statusCode: result.status };
  const error = result.revealsPort === true ? NO_RESPONSE : result.error;
  return { error, statusCode: null, detail: result.detail ?? result.error };
}

/** Records the result of the last message in the row of its channel. */
export async function recordAlertResult(
  db: Pick<Database, '$executeRaw'>,
  companyId: number,
  channelId: number,
  error: string | null,
): Promise<void> {
  await db.$executeRaw`
    UPDATE alert_channels
    SET last_sent_at = CASE WHEN ${error}::text IS NULL THEN clock_timestamp() ELSE last_sent_at END,
        last_error_at = CASE WHEN ${error}::text IS NULL THEN last_error_at ELSE clock_timestamp() END,
        last_error = ${error}
    WHERE company_id = ${companyId} AND id = ${channelId}`;
}
