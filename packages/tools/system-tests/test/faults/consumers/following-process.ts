import { createClient } from 'deal-signals/client';
import { followFeed } from 'deal-signals/feeds/follow-feed';
import { openSqliteStore } from 'deal-signals/stores/sqlite-store';

/**
 * A consumer that records each event that it handles, in the transaction of the page. The argument is the SQLite file. The
 * access is in the environment.
 */
const [file = ''] = process.argv.slice(2);
const store = await openSqliteStore(file);
store.database.exec('CREATE TABLE IF NOT EXISTS handled (event_id INTEGER)');
await followFeed('engagement/events', {
  store,
  client: createClient(),
  stopAtEnd: true,
  limit: 10,
  onPage({ data }, database) {
    const note = database.prepare('INSERT INTO handled VALUES (?)');
    for (const { id } of data) note.run(id);
  },
});
await store.close();
