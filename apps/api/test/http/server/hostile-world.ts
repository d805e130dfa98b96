import type { Database } from '@deal-signals/db/database';
import { addDelivery, addEndpoint, DEAD } from '@deal-signals/test-kit/worlds/deliveries';
import { second, uuid } from '@deal-signals/test-kit/worlds/ids';
import {
  NEIGHBOUR_INTEGER,
  NEIGHBOUR_SECRETS,
  plantNeighbour,
} from '@deal-signals/test-kit/worlds/neighbour';
import {
  addCall,
  addCompany,
  addEvent,
  addKey,
  addLink,
  addRoom,
  addView,
} from '@deal-signals/test-kit/worlds/workspace';
import { expect } from '@jest/globals';
import { STATUS_OF_CODE } from '../../../src/http/errors.ts';
import { sessionToken } from '../../test-api.ts';
import type { RawResponse } from './raw-http.ts';

/**
 * Adds the workspace that hostile requests are sent to, and a neighbour whose data they must not reach.
 *
 * @returns credentials by the placeholders in the generators of `hostile-requests.ts`.
 */
export async function plantHostileWorld(db: Database): Promise<Record<string, string>> {
  await addCompany(db, 1);
  const room = await addRoom(db, 1, 1);
  await addCall(db, 1, 1, { roomId: room });
  await addLink(db, 1, 1, { roomId: room, callId: uuid(1) });
  await addEvent(db, 1, 1, { buyerSpaceId: room });
  await addView(db, 1, 1, { buyerSpaceId: room, distributionId: uuid(1) });
  // Objects that the requests can reach in their own workspace have the id 1, and some requests remove them.
  await addKey(db, 1);
  await addDelivery(db, await addEndpoint(db), { ...DEAD, id: 1 });
  await plantNeighbour(db, 2);
  return {
    KEY: await addKey(db, 1),
    REVOKED: await addKey(db, 1, { revokedAt: second(1) }),
    NEIGHBOUR_KEY: await addKey(db, 2),
    SESSION: sessionToken(),
    EXPIRED: sessionToken({ exp: 1 }),
    NEIGHBOUR_SESSION: sessionToken({ companyId: 2 }),
  };
}

interface ErrorBody {
  error: string;
  code: keyof typeof STATUS_OF_CODE;
  field?: string;
}

/** Checks the properties of every response to the workspace, for any request. */
export function expectDecent(
  { status, headers, body }: RawResponse,
  { isHead, perMinute }: { isHead: boolean; perMinute: number },
): void {
  expect(status).toBeLessThan(500);
  expect(headers).toMatchObject({
    'x-ratelimit-limit': String(perMinute),
    'x-ratelimit-window': '60',
    'x-request-id': expect.stringMatching(/^[A-Za-z0-9._-]{1,128}$/),
  });
  // An empty page returns the cursor that was sent.
  const own = body.replace(new RegExp(`"nextCursor":"(before-)?${NEIGHBOUR_INTEGER}"`), '');
  for (const secret of NEIGHBOUR_SECRETS) expect(own).not.toContain(secret);
  if (status >= 400 && !isHead) {
    const { field = null, ...error } = JSON.parse(body) as ErrorBody;
    expect(Object.keys(error).toSorted()).toEqual(['code', 'error']);
    expect(typeof error.error).toBe('string');
    // An error with a field starts its text with it, and every other error has no field.
    expect(field !== null && error.error.startsWith(`${field}: `)).toBe(field !== null && status === 400);
    expect(STATUS_OF_CODE[error.code]).toBe(status);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
  }
}
