import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const BASE_URL = process.env['DEAL_SIGNALS_URL'] ?? ''; // ends in /api/v1
const API_KEY = process.env['DEAL_SIGNALS_API_KEY'] ?? '';
const POLL_SECONDS = Number(process.env['POLL_SECONDS'] ?? 15);
const FEEDS = [
  'calls',
  'decision-rooms',
  'people',
  'documents',
  'esign-documents',
  'distributions',
  'engagement/events',
  'engagement/views',
];

interface Page {
  data: { id: string }[];
  nextCursor: string;
  hasMore: boolean;
}

interface Copy {
  cursor: string | null;
  rows: Record<string, object>;
}

async function getPage(feed: string, cursor: string | null): Promise<Page> {
  const url = new URL(`${BASE_URL}/${feed}`);
  url.searchParams.set('limit', '500');
  if (cursor !== null) url.searchParams.set('cursor', cursor);
  const headers = { authorization: `Bearer ${API_KEY}` };
  for (let attempt = 1; ; attempt += 1) {
    const result = await fetch(url, { headers, signal: AbortSignal.timeout(30_000) })
      .then(async (response) => ({ response, body: await response.text() }))
      .catch(() => null);
    if (result?.response.ok) return JSON.parse(result.body) as Page;
    const status = result?.response.status ?? 0; // 0: no response
    const problem = `${feed}: ${status} ${result?.body ?? 'no response'}`;
    // Any other 4xx is a mistake in this program. Sending the request again cannot help.
    if (status !== 0 && status !== 429 && status < 500) throw new Error(problem);
    const waitSeconds = Number(result?.response.headers.get('retry-after') ?? Math.min(2 ** attempt, 60));
    console.error(`${problem}; trying again in ${waitSeconds} s`);
    await sleep(waitSeconds * 1000);
  }
}

async function syncFeed(feed: string): Promise<void> {
  const file = `${feed.replace('/', '-')}.json`;
  const copy: Copy = existsSync(file) ? JSON.parse(await readFile(file, 'utf8')) : { cursor: null, rows: {} };
  let page: Page;
  do {
    page = await getPage(feed, copy.cursor);
    for (const row of page.data) copy.rows[row.id] = row;
    copy.cursor = page.nextCursor;
    // The rename makes the rows and the cursor visible together.
    await writeFile(`${file}.new`, JSON.stringify(copy));
    await rename(`${file}.new`, file);
  } while (page.hasMore);
}

while (true) {
  for (const feed of FEEDS) await syncFeed(feed);
  await sleep(POLL_SECONDS * 1000);
}
