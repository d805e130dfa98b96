import type { components } from '../api/generated/console.ts';

/** The state of the workspace's webhooks and keys. */
export type Overview = components['schemas']['Overview'];
/** Something that an admin should look at. */
export type Attention = Overview['attention'][number];

/** Identifies something that needs attention, in a list of such. */
export function keyOf(item: Attention): string {
  if ('endpointId' in item) return `${item.kind} ${item.endpointId}`;
  return 'keyId' in item ? `${item.kind} ${item.keyId}` : item.kind;
}
