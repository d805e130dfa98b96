import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { REPOSITORY_ROOT } from '@deal-signals/local-stack/files/local-folder';
import type { RunningApp } from '@deal-signals/test-kit/processes';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { capture, captureWorkspace, ROOM } from '@deal-signals/test-kit/worlds/captured';
import { uuid } from '@deal-signals/test-kit/worlds/ids';
import { openSqlite } from 'deal-signals/stores/sqlite-driver';
import { VIEW_NAMES } from 'deal-signals/stores/views';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { randomRoom } from '../../../../../apps/api/test/routes/room-metrics/random-room.ts';
import { type FeedRecord, createKey, servedRecords, startApi } from '../client/api-world.ts';
import { run } from '../client/run.ts';
import { temporaryFolder } from '../../../../clients/typescript/test/temporary-folder.ts';

// Compares the views of `sync --views` for people and for statuses of rooms with the API.

const ROOMS = [1, 2, 3, 4, 5, 6].map((seed) => uuid(900_000 + seed));

let database: TestDatabase;
let api: RunningApp;
let key: string;

beforeAll(async () => {
  database = await createTestDatabase();
  await captureWorkspace(database.db);
  for (const [index, room] of ROOMS.entries()) await capture(database.db, ...randomRoom(index + 1, room));
  api = await startApi(database.url);
  key = await createKey(api);
});
afterAll(() => database.drop());

interface Target {
  sync: () => Promise<void>;
  query: (sql: string) => Promise<any[]>;
}

async function syncTo(...target: string[]): Promise<void> {
  const access = { DEAL_SIGNALS_URL: api.baseUrl, DEAL_SIGNALS_API_KEY: key };
  const ended = await run(['sync', '--to', ...target, '--prefix', 'my_', '--views'], access);
  expect(ended).toMatchObject({ exitCode: 0, stderr: '' });
}

function sqlite(): Target {
  const file = path.join(temporaryFolder(), 'deals.db');
  return {
    sync: () => syncTo(`sqlite:${file}`),
    async query(sql) {
      const copy = await openSqlite(file);
      try {
        return copy.prepare(sql).all();
      } finally {
        copy.close();
      }
    },
  };
}

function postgres(): Target {
  return {
    sync: () => syncTo(database.url, '--schema', 'seen'),
    async query(sql) {
      const client = new Client({ connectionString: database.url, options: '-c search_path=seen' });
      await client.connect();
      try {
        return (await client.query(sql)).rows;
      } finally {
        await client.end();
      }
    },
  };
}

const moment = (value: unknown) => (value === null ? null : new Date(value as string).toISOString());

describe.each<[string, () => Target]>([
  ['SQLite', sqlite],
  ['PostgreSQL', postgres],
])('the views in %s', (name, create) => {
  let target: Target;
  beforeEach(async () => {
    target = create();
    await target.sync();
  });

  test('have the columns that the guide lists', async () => {
    const guide = await readFile(path.join(REPOSITORY_ROOT, 'docs/client.md'), 'utf8');
    for (const view of VIEW_NAMES) {
      const [item = ''] = new RegExp(`^- \`${view}\`: [^]*?(?=\\n- |\\n\\n)`, 'm').exec(guide) ?? [];
      // What is in parentheses explains the values of a column.
      const listed = item.replaceAll(/\([^)]*\)/g, '').matchAll(/`(\w+)`/g);
      const [row] = await target.query(`SELECT * FROM my_${view}`);
      expect([view, ...Object.keys(row)]).toEqual(Array.from(listed, ([, column]) => column));
    }
  });

  test('person_engagement matches the metrics of the room for each person, and counts each session once', async () => {
    const rows = await target.query('SELECT * FROM my_person_engagement');
    const inView = new Map(rows.map((row) => [row.person_id as string, row]));
    const views = [...(await servedRecords(api, key, 'engagement/views')).values()];
    let people = 0;
    for (const room of [ROOM, ...ROOMS]) {
      const response = await fetch(`${api.baseUrl}/decision-rooms/${room}/metrics`, {
        headers: { authorization: `Bearer ${key}` },
      });
      const metrics: any = await response.json();
      for (const stakeholder of metrics.data.stakeholders) {
        people += 1;
        const row = inView.get(stakeholder.personId);
        const own = views.filter(({ personId }) => personId === stakeholder.personId);
        const sessions = (kind: string) => own.filter((view) => view['kind'] === kind);
        const seconds = (kind: string) =>
          sessions(kind).reduce((sum, view) => sum + Number(view['watchSeconds']), 0);
        const recordings = new Set(sessions('trailer').map(({ demoId }) => demoId));
        expect({
          personName: row.person_name,
          personEmail: row.person_email,
          room: row.buyer_space_id,
          ...Object.fromEntries(COUNTS.map(([field, column]) => [field, Number(row[column])])),
          watched: [row.watch_sessions, row.watch_seconds, row.recordings_watched].map(Number),
          read: [row.read_sessions, row.read_seconds].map(Number),
          lastActivityAt: moment(row.last_activity_at),
        }).toEqual({
          personName: stakeholder.name,
          personEmail: stakeholder.email,
          room,
          ...Object.fromEntries(COUNTS.map(([field]) => [field, stakeholder[field]])),
          watched: [sessions('trailer').length, seconds('trailer'), recordings.size],
          read: [sessions('document').length, seconds('document')],
          lastActivityAt: stakeholder.lastActivityAt,
        });
      }
    }
    expect(rows).toHaveLength(people);
    expect(people).toBeGreaterThan(15);
    expect(views.length).toBeGreaterThan(30);
  });

  test('room_statuses has the time from which a room had each copied status', async () => {
    const [room, dormant, lost] = [1, 2, 3].map((n) => uuid(950_000 + n + (name === 'SQLite' ? 0 : 3))) as [
      string,
      string,
      string,
    ];
    const change = (id: string, changes: object) =>
      capture(database.db, { record: 'room', id, name: 'Initech', ...changes });
    const served = async (id: string): Promise<FeedRecord> =>
      (await servedRecords(api, key, 'decision-rooms')).get(id)!;
    const history = async (id: string) =>
      (
        await target.query(
          `SELECT status, since, until FROM my_room_statuses WHERE buyer_space_id = '${id}' ORDER BY recorded_at`,
        )
      ).map(({ status, since, until }) => [status, moment(since), moment(until)]);

    await change(room, { createdAt: '2026-09-01T08:00:00Z' });
    await change(dormant, { status: 'dormant' });
    await change(lost, { status: 'lost', closedAt: '2026-11-20T10:00:00Z' });
    await target.sync();
    expect(await history(room)).toEqual([['open', '2026-09-01T08:00:00.000Z', null]]);
    expect(await history(lost)).toEqual([['lost', '2026-11-20T10:00:00.000Z', null]]);
    // The beginning of the status is unknown.
    expect(await history(dormant)).toEqual([['dormant', null, null]]);

    await change(room, { status: 'dormant' });
    await target.sync();
    const slept = String((await served(room))['lastActivityAt']);
    // Neither another change nor another sync is a new status.
    await change(room, { dealValueCents: 5 });
    await target.sync();
    await change(room, { status: 'won', closedAt: '2026-11-20T10:00:00Z' });
    await target.sync();
    const won = String((await served(room))['lastActivityAt']);
    await change(room, { status: 'open', closedAt: null });
    await target.sync();
    const reopened = String((await served(room))['lastActivityAt']);
    expect(await history(room)).toEqual([
      ['open', '2026-09-01T08:00:00.000Z', slept],
      ['dormant', slept, won],
      ['won', won, reopened],
      ['open', reopened, null],
    ]);
  });
});

/** Fields of a stakeholder in the metrics, and the columns of the view. */
const COUNTS = [
  ['trailerViews', 'trailer_views'],
  ['trailerCompletes', 'trailer_completes'],
  ['roomVisits', 'room_visits'],
  ['docOpens', 'doc_opens'],
  ['docsOpened', 'docs_opened'],
  ['mapCheckoffs', 'map_checkoffs'],
  ['comments', 'comments'],
  ['messages', 'messages'],
  ['forwards', 'forwards'],
] as const;
