import { hash } from 'node:crypto';
import type { EventType } from './event-types.ts';

/** The namespace of the ids, a random value. Changing it would change the id of every event. */
const NAMESPACE = Buffer.from('c7090222c1f349f5aa335e1280ed41a3', 'hex');

/** The identity of an event of an object. */
export interface EventSource {
  type: EventType;
  /** The id of the object that the event shows. */
  objectId: string;
  /** The position of the object in its feed, as the event shows it: an integer id, or the time of its last change. */
  position: bigint | Date;
}

/**
 * Returns the id of an event: the UUIDv5 of the workspace, the type, the object and its feed position. At one position an object
 * has one content, so an event that is sent again has the same id whichever list it was read from, and consumers process it once.
 */
export function deriveEventId(companyId: number, { type, objectId, position }: EventSource): string {
  const positionText = typeof position === 'bigint' ? String(position) : position.toISOString();
  const name = [companyId, type, objectId, positionText].join(' ');
  const digest = hash('sha1', Buffer.concat([NAMESPACE, Buffer.from(name)]), 'buffer');
  digest[6] = (digest[6]! & 0x0f) | 0x50;
  digest[8] = (digest[8]! & 0x3f) | 0x80;
  const hex = digest.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  );
}
