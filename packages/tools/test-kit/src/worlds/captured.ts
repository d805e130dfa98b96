import { captureRecords } from '@deal-signals/capture/stream/capture-records';
import { type CaptureInput, captureRecord } from '@deal-signals/capture/records/record';
import type { Database } from '@deal-signals/db/database';
import { COMPANY, uuid } from './ids.ts';

export const ROOM = uuid(1);
export const CALL = uuid(2);
export const LINK = uuid(3);
export const FORWARD = uuid(4);
export const DOCUMENT = uuid(5);

/** A record as it is captured, without its workspace. */
export type ShortRecord = CaptureInput extends infer R
  ? R extends { companyId: number }
    ? Omit<R, 'companyId'>
    : R
  : never;

/** Parses and captures records, in the default workspace unless they name another one. */
export function capture(db: Database, ...records: ShortRecord[]): Promise<void> {
  return captureRecords(
    db,
    records.map((record) => captureRecord.parse({ companyId: COMPANY, ...record })),
  );
}

/** Captures the default workspace: a room, a call in it, a share link, its forward and a document. */
export function captureWorkspace(db: Database): Promise<void> {
  return capture(
    db,
    { record: 'company', id: COMPANY, name: 'Acme' },
    { record: 'user', id: 7, name: 'Ann', email: 'ann@acme.example' },
    { record: 'room', id: ROOM, name: 'Globex', ownerId: 7, dealValueCents: 5_000_000_000 },
    {
      record: 'call',
      id: CALL,
      kind: 'demo',
      occurredAt: '2026-09-01T12:00:00+02:00',
      ownerId: 7,
      title: 'First demo',
      durationSeconds: 600,
      roomId: ROOM,
    },
    {
      record: 'distribution',
      id: LINK,
      roomId: ROOM,
      recipientName: 'Bob',
      recipientEmail: 'bob@globex.example',
      callId: CALL,
    },
    {
      record: 'distribution',
      id: FORWARD,
      roomId: ROOM,
      recipientName: 'Eve',
      recipientEmail: 'eve@globex.example',
      callId: CALL,
      forwardedFromDistributionId: LINK,
    },
    { record: 'document', id: DOCUMENT, roomId: ROOM, title: 'Pricing', category: 'pricing' },
  );
}

/**
 * Captures one engagement event over the share link for each key, in one transaction. A key that was captured before changes
 * nothing.
 */
export function captureEvents(db: Database, keys: readonly string[]): Promise<void> {
  return capture(
    db,
    ...keys.map((key) => ({
      record: 'event' as const,
      key,
      type: 'trailer_view',
      occurredAt: '2026-09-01T12:00:00Z',
      distributionId: LINK,
    })),
  );
}
