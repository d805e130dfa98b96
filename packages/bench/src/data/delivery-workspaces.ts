import { captureRecords } from '@deal-signals/capture/capture-records';
import { type CaptureInput, captureRecord } from '@deal-signals/capture/record';
import type { Database } from '@deal-signals/db/database';
import { secretKeys } from '@deal-signals/sending/secret-keys';
import { encryptSigningSecret } from '@deal-signals/sending/signing-secret';
import { uuid } from '@deal-signals/test-kit/worlds/ids';
import { BENCH_SECRETS } from '../stack/bench-stack.ts';
import { LINK } from './engagement-event.ts';

/** What every endpoint of the bench signs with. */
export const SIGNING_SECRET = 'whsec_4Zq0G6mMZm3cXoKbnQvJ8yQ0aWn1tT5sD2rL7uEhVxA';

const ROOM = uuid(1);
const CALL = uuid(2);

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
  const keys = secretKeys.parse(BENCH_SECRETS.SECRETS_KEY);
  const { id } = await db.webhookEndpoint.create({
    data: {
      companyId,
      url,
      events: ['engagement.recorded'],
      secretCiphertext: encryptSigningSecret(keys, companyId, SIGNING_SECRET),
    },
  });
  return id;
}
