import { readFile } from 'node:fs/promises';
import { sqlText } from '@deal-signals/test-kit/worlds/texts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { openTestApi, sessionToken, testWebhookSettings, type TestApi } from '../../test-api.ts';
import { explain, explainGeneric, recordQueries, type Statement } from './query-plan.ts';

const LOAD_TIMEOUT_MS = 900_000;
/** An endpoint with a third of the deliveries. */
const ENDPOINT = 11;
/** The number of objects that a batch visits. */
const BATCH = 500;
/** The number of feeds, and of the events that can contain an object: two for most kinds. */
const [FEEDS, EVENTS_OF_ONE] = [6, 2];
/** The feeds and the tables in which each object is looked up. None of them may be read completely. */
const BIG =
  /^(engagement_events|engagement_views|calls|rooms|esign_documents|erasures|pending_deliveries|webhook_deliveries|webhook_delivery_subjects|webhook_events)$/;

let api: TestApi;
let client: Client;

beforeAll(async () => {
  api = await openTestApi({ settings: { webhooks: testWebhookSettings({ RETENTION_DAYS: '0' }) } });
  client = new Client({ connectionString: api.database.url, options: '-c timezone=UTC' });
  await client.connect();
  for (const kind of ['event', 'view', 'call', 'room'] as const) {
    await client.query(
      `CREATE FUNCTION pg_temp.${kind}_text(id text) RETURNS text LANGUAGE sql IMMUTABLE RETURN ${sqlText(kind, 'id')}`,
    );
  }
  await client.query(await readFile(new URL('million-rows.sql', import.meta.url), 'utf8'));
  await client.query(`UPDATE erasures SET object_text = '{"kind": "person", "buyerSpaceId": null}'`);
  await client.query('VACUUM (ANALYZE)');
  await client.query(`UPDATE webhook_endpoints SET events = '{*}', enabled = true WHERE id = ${ENDPOINT}`);
}, LOAD_TIMEOUT_MS);
afterAll(async () => {
  await client.end();
  await api.close();
});

const replay = (body: object) =>
  api.post(`/webhooks/${ENDPOINT}/replay-missing`, sessionToken(), body).expect(200);

test.each(['2025-10-01', '2026-03-01T12:00:00Z', '2026-09-30'])(
  'a batch from %s on reads only the objects that it visits, and no table completely',
  async (since) => {
    const counted = await recordQueries(() => replay({ since, dryRun: true }), /./);
    const heavy = counted.filter(({ text }) => /UNION ALL|webhook_delivery_subjects/.test(text));
    expect(heavy.length).toBeGreaterThanOrEqual(2);
    for (const statement of [...heavy.slice(0, 4), ...heavy.slice(-4)]) {
      const plan = await explain(client, statement);
      const isWalk = statement.text.includes('isComplete');
      // Each event is looked up among the subjects, and then in the queue and in the log.
      const rows = isWalk ? FEEDS * BATCH : 4 * EVENTS_OF_ONE * BATCH;
      expect([plan.seqScans.filter((table) => BIG.test(table)), plan.rowsRead > rows && plan.text]).toEqual([
        [],
        false,
      ]);
      expect(plan.buffers).toBeLessThan(isWalk ? 3 * FEEDS * BATCH : 16 * EVENTS_OF_ONE * BATCH);
      expect(plan.sortedRows).toBe(0);
    }
  },
  LOAD_TIMEOUT_MS,
);

test(
  'no statement of a call that queues deliveries reads a table completely, with one plan for all',
  async () => {
    const started = performance.now();
    const statements = await recordQueries(() => replay({ since: '2026-09-01' }), /./);
    // The call ends by itself before everything is done.
    expect(performance.now() - started).toBeLessThan(60_000);
    const unique = new Map<string, Statement>(statements.map((one) => [one.text, one]));
    const ours = [...unique.values()].filter(({ text }) => /^\s*[(]?\s*(SELECT|WITH|INSERT)\b/i.test(text));
    expect(ours.some(({ text }) => text.includes('pending_deliveries'))).toBe(true);
    for (const statement of ours) {
      const { seqScans, text } = await explainGeneric(client, statement);
      expect([seqScans.filter((table) => BIG.test(table)), text]).toEqual([[], text]);
    }
  },
  LOAD_TIMEOUT_MS,
);
