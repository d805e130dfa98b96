import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Applied } from '../../src/stores/store.ts';
import type { Delivery } from '../../src/webhooks/apply-webhook.ts';
import { room } from '../stores/pages.ts';
import { NOW, SECRET, serviceHeaders } from './sign.ts';

interface CaseDelivery {
  event: number;
  type: string;
  record: object;
  applied: Applied;
}

/** Deliveries of rooms, the expected outcome of each, and the names of the rooms in the end. */
export const APPLY_CASES = (
  JSON.parse(readFileSync(path.join(import.meta.dirname, 'apply-cases.json'), 'utf8')) as {
    cases: { name: string; deliveries: CaseDelivery[]; rows: string[] }[];
  }
).cases;

/** Returns the id of an event. */
export function eventId(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}

/** Returns a signed delivery of an event with an object. */
export function signedDelivery(number: number, type: string, data: object, companyId = 1): Delivery {
  const envelope = { id: eventId(number), type, apiVersion: '2026-09-01', createdAt: NOW.toISOString() };
  const rawBody = JSON.stringify({ ...envelope, companyId, data });
  return { rawBody, headers: serviceHeaders(rawBody, [SECRET], NOW), secrets: SECRET, now: NOW };
}

/** Returns the signed delivery of a case. */
export function caseDelivery({ event, type, record }: CaseDelivery): Delivery {
  return signedDelivery(event, type, { ...room('open'), ...record });
}
