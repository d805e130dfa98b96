import { second, uuid } from '@deal-signals/test-kit/worlds/ids';
import { rollUp } from '@deal-signals/test-kit/worlds/rolled-up';
import {
  addCall,
  addCompany,
  addEvent,
  addKey,
  addLink,
  addRoom,
  addView,
} from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ROUTES } from '../../src/app.ts';
import { openTestApi, type TestApi } from '../test-api.ts';

// Ids are unique only within a workspace, so a query that filters by workspace where it searches, but not where it reads the
// found rows, would return the rows of others.

const ID = uuid(1);
const NUMBER = 1_789_000_000_000_001n;
const OWNER = 9;
const SINCE = 'since=2020-01-01T00:00:00Z';

let api: TestApi;
let key: string;

beforeAll(async () => {
  api = await openTestApi();
  const { db } = api;
  for (const companyId of [1, 2]) {
    const theirs = companyId === 1 ? 'mine' : 'foreign';
    await addCompany(db, companyId);
    await db.user.create({ data: { companyId, id: OWNER, name: theirs, email: `${theirs}@example.com` } });
    const owned = { id: ID, ownerId: OWNER };
    await addRoom(db, companyId, 1, { ...owned, name: theirs, lastActivityAt: second(1) });
    await addCall(db, companyId, 1, { ...owned, roomId: ID, title: theirs, updatedAt: second(1) });
    await addLink(db, companyId, 1, { id: ID, roomId: ID, callId: ID, recipientName: theirs });
    const row = { companyId, id: ID, roomId: ID, title: theirs, updatedAt: second(1) };
    await db.document.create({ data: { ...row, category: 'pricing' } });
    const contract = { vendor: 'v', envelopeId: theirs, status: 'sent' as const, updatedAt: second(1) };
    await db.esignDocument.create({ data: { companyId, id: ID, roomId: ID, ...contract } });
    const about = { id: NUMBER, buyerSpaceId: ID, distributionId: ID, demoId: ID, actorName: theirs };
    await addEvent(db, companyId, 1, about);
    await addView(db, companyId, 1, about);
  }
  await rollUp(db);
  key = await addKey(db, 1);
});
afterAll(() => api.close());

const LISTS = [
  '/decision-rooms',
  '/decision-rooms?status=open',
  '/room-scores',
  '/decision-rooms?updated_since=2020-01-01T00:00:00Z',
  '/calls',
  '/calls?has_summary=false',
  '/calls?updated_since=2020-01-01T00:00:00Z',
  '/distributions',
  `/distributions?buyer_space_id=${ID}`,
  '/people',
  `/people?buyer_space_id=${ID}`,
  '/documents',
  `/documents?buyer_space_id=${ID}`,
  '/esign-documents',
  `/esign-documents?buyer_space_id=${ID}`,
  ...['events?types=room_visit&', 'events?', 'views?'].flatMap((path) =>
    ['', SINCE, `buyer_space_id=${ID}`, `demo_id=${ID}`, `buyer_space_id=${ID}&${SINCE}`].map(
      (filter) => `/engagement/${path}${filter}`,
    ),
  ),
];

test.each(LISTS)('%s returns nothing of a workspace with the same ids', async (path) => {
  const { text, body } = await api.get(path, key).expect(200);
  expect(text).not.toContain('foreign');
  expect(body.data).toHaveLength(1);
});

const OBJECTS = [
  ...['/decision-rooms', '/calls', '/distributions', '/documents', '/esign-documents'].map(
    (path) => `${path}/:id`,
  ),
  '/decision-rooms/:id/metrics',
  '/distributions/:id/heatmap',
];

test.each(OBJECTS)('%s returns the object of the workspace', async (path) => {
  const { text } = await api.get(path.replace(':id', ID), key).expect(200);
  expect(text).not.toContain('foreign');
});

test('covers all routes that read captured data of a workspace', () => {
  const others = ['/status', '/people/:id', '/erasures', '/webhook-deliveries', '/webhook-deliveries/:id'];
  const routes = ROUTES.filter(({ access, path }) => access === 'key' && !others.includes(path));
  const tested = [...LISTS, ...OBJECTS].map((path) => path.split('?')[0] ?? path);
  expect([...new Set(tested)].toSorted()).toEqual(routes.map(({ path }) => path).toSorted());
});
