import { captureRecords } from '@deal-signals/capture/capture-records';
import { type CaptureInput, captureRecord } from '@deal-signals/capture/record';
import type { Database } from '@deal-signals/db/database';
import { TEST_SECRETS } from '@deal-signals/test-kit/processes';
import { encryptSigningSecret, secretsKey } from '@deal-signals/sending/signing-secret';

/** The workspace that the faults happen in. */
export const COMPANY = 1;
/** What its endpoints sign with at first. */
export const SECRET = 'whsec_4Zq0G6mMZm3cXoKbnQvJ8yQ0aWn1tT5sD2rL7uEhVxA';

const ROOM = '00000000-0000-4000-8000-000000000001';
const CALL = '00000000-0000-4000-8000-000000000002';
const LINK = '00000000-0000-4000-8000-000000000003';
const MOMENT = '2026-09-01T12:00:00Z';

/** Makes a workspace with one share link, through which prospects do things. */
export function captureWorkspace(db: Database): Promise<void> {
  return capture(db, [
    { record: 'company', id: COMPANY, name: 'Acme' },
    { record: 'user', companyId: COMPANY, id: 7, name: 'Ann', email: 'ann@acme.example' },
    { record: 'room', companyId: COMPANY, id: ROOM, name: 'Globex', ownerId: 7 },
    {
      record: 'call',
      companyId: COMPANY,
      id: CALL,
      kind: 'demo',
      occurredAt: MOMENT,
      ownerId: 7,
      durationSeconds: 600,
      roomId: ROOM,
    },
    {
      record: 'distribution',
      companyId: COMPANY,
      id: LINK,
      roomId: ROOM,
      recipientName: 'Bob',
      recipientEmail: 'bob@globex.example',
      callId: CALL,
    },
  ]);
}

/** Captures one engagement event for each key: all of them or none. A key that is captured already changes nothing. */
export function captureEvents(db: Database, keys: readonly string[]): Promise<void> {
  return capture(
    db,
    keys.map((key) => ({
      record: 'event',
      companyId: COMPANY,
      key,
      type: 'trailer_view',
      occurredAt: MOMENT,
      distributionId: LINK,
    })),
  );
}

/** Makes an endpoint that gets every engagement event. */
export async function createEndpoint(db: Database, url: string): Promise<number> {
  const key = secretsKey.parse(TEST_SECRETS.SECRETS_KEY);
  const secretCiphertext = encryptSigningSecret(key, COMPANY, SECRET);
  const { id } = await db.webhookEndpoint.create({
    data: { companyId: COMPANY, url, events: ['engagement.recorded'], secretCiphertext },
  });
  return id;
}

function capture(db: Database, records: CaptureInput[]): Promise<void> {
  return captureRecords(
    db,
    records.map((record) => captureRecord.parse(record)),
  );
}
