import type { AlertResult } from '@deal-signals/deliveries/alerts/send';
import { describeResponse } from '@deal-signals/deliveries/attempts/outcome';

/**
 * Sends a message to the operator's receiver. The operator trusts the URL, so the SSRF guard does not apply, and the URL may be private
 * and without TLS. No part of the response is shown to admins.
 *
 * @returns null if the process stops.
 */
export async function sendToOperator(
  url: string,
  body: string,
  timeoutMs: number,
  stopping: AbortSignal,
): Promise<AlertResult | null> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([stopping, AbortSignal.timeout(timeoutMs)]),
    });
    await response.body?.cancel();
    const { status, ok } = response;
    return { error: describeResponse(status, ok ? 'delivered' : 'failed'), statusCode: status };
  } catch (error) {
    if (stopping.aborted) return null;
    return { error: 'no response', statusCode: null, detail: error instanceof Error ? error.name : '' };
  }
}
