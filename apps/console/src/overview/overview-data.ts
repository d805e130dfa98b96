import type { components } from '../api/generated/console.ts';

/** The state of the workspace's webhooks and keys. */
export type Overview = components['schemas']['Overview'];
/** An item that needs an admin's attention. */
export type Attention = Overview['attention'][number];

/** Returns a list key for an attention item. */
export function attentionKey(item: Attention): string {
  if ('endpointId' in item) return `${item.kind} ${item.endpointId}`;
  return 'keyId' in item ? `${item.kind} ${item.keyId}` : item.kind;
}
