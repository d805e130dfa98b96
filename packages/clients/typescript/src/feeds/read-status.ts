import { type DealSignalsClient, sentOnce } from '../client.ts';
import type { components } from '../generated/api.ts';
import { type Patience, repeatUntilDone } from './repeat.ts';

/** The workspace of a key, and the rights of the key. */
export type Status = components['schemas']['Status'];

/**
 * Reads `GET /status`, and retries until it succeeds.
 *
 * @returns null if the signal is aborted.
 * @throws ApiRefusal
 * @throws ApiUnavailable
 */
export async function readStatus(client: DealSignalsClient, patience: Patience): Promise<Status | null> {
  const { signal } = patience;
  const send = () =>
    client.GET('/status', { parseAs: 'stream', ...sentOnce(client), ...(signal && { signal }) });
  return (await repeatUntilDone('status', send, isStatus, patience)) as Status | null;
}

function isStatus(body: unknown): boolean {
  return Number.isInteger((body as Partial<Status>).company?.id);
}
