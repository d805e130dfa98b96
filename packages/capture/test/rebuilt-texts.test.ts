import { capture } from '@deal-signals/test-kit/worlds/captured';
import { beforeEach, expect, test } from '@jest/globals';
import { rebuildTexts } from '../src/rebuild-texts.ts';
import { capturedDatabase } from './captured-database.ts';
import { everything } from './records.ts';

const database = capturedDatabase();

beforeEach(async () => {
  await capture(database.db, ...everything);
});

test.each(['engagement_events', 'engagement_views'])(
  'storing the texts of %s again leaves the roll-ups of their rooms alone; a corrected row computes them again',
  async (table) => {
    const { db } = database;
    const events = async () => (await db.roomTotals.findFirstOrThrow()).events;
    const right = await events();
    // Wrong on purpose: only a computation of the whole room would correct it.
    await db.roomTotals.updateMany({ data: { events: 99 } });
    await db.$executeRawUnsafe(`UPDATE ${table} SET object_text = object_text || ' '`);
    await db.$executeRawUnsafe(`UPDATE ${table} SET object_text = NULL, object_version = NULL`);
    await rebuildTexts(db, () => {});
    expect(await events()).toBe(99);

    await db.$executeRawUnsafe(`UPDATE ${table} SET actor_name = 'corrected'`);
    expect(await events()).toBe(right);
  },
);
