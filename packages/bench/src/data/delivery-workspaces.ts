import { captureRecords } from '@deal-signals/capture/capture-records';
import { type CaptureInput, captureRecord } from '@deal-signals/capture/record';
import type { Database } from '@deal-signals/db/database';
import { encryptSigningSecret, secretsKey } from '@deal-signals/sending/signing-secret';
import { uuid } from '@deal-signals/test-kit/worlds/ids';
import { BENCH_SECRETS } from '../stack/bench-stack.ts';

/** What every endpoint of the bench signs with. */
export const SIGNING_SECRET = 'whsec_4Zq0G6mMZm3cXoKbnQvJ8yQ0aWn1tT5sD2rL7uEhVxA';

/** The share link that every event of a workspace comes through. */
const LINK = uuid(3);
const ROOM = uuid(1);
const CALL = uuid(2);
/** Makes the body of an `engagement.recorded` delivery about 1 KB. */
const PADDING = 'a prospect looked at this page for a while and scrolled to the end of it. '.repeat(6).trim();

/** Captures a workspace with one room and one share link. */
export function addWorkspace(db: Database, companyId: number): Promise<void> {
  return captureRecords(
    db,
    (
      [
        { record: 'company', id: companyId, name: `Workspace ${companyId}` },
        { record: 'user', companyId, id: 1, name: 'Sam Seller', email: 'sam@seller.example' },
        { record: 'room', companyId, id: ROOM, name: 'Globex', ownerId: 1 },
        {
          record: 'call',
          companyId,
          id: CALL,
          kind: 'demo',
          occurredAt: '2026-09-01T12:00:00Z',
          ownerId: 1,
          title: 'First demo',
          durationSeconds: 600,
          roomId: ROOM,
        },
        {
          record: 'distribution',
          companyId,
          id: LINK,
          roomId: ROOM,
          callId: CALL,
          recipientName: 'Bob Buyer',
          recipientEmail: 'bob@globex.example',
        },
      ] satisfies CaptureInput[]
    ).map((record) => captureRecord.parse(record)),
  );
}

/** Adds an endpoint to a workspace that subscribes to engagement events; returns its id. */
export async function addBenchEndpoint(db: Database, companyId: number, url: string): Promise<number> {
  const key = secretsKey.parse(BENCH_SECRETS.SECRETS_KEY);
  const { id } = await db.webhookEndpoint.create({
    data: {
      companyId,
      url,
      events: ['engagement.recorded'],
      secretCiphertext: encryptSigningSecret(key, companyId, SIGNING_SECRET),
    },
  });
  return id;
}

/** An event of a workspace. `n` is in its metadata, and so in the body of its deliveries. */
export function engagementEvent(companyId: number, key: string, n: number): CaptureInput {
  return {
    record: 'event',
    companyId,
    key,
    type: 'room_visit',
    occurredAt: '2026-09-01T12:00:00Z',
    distributionId: LINK,
    metadata: { n, note: PADDING },
  };
}
