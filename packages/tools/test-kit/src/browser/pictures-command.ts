import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { LOCAL_FOLDER, REPOSITORY_ROOT } from '@deal-signals/local-stack/files/local-folder';
import { readStackFile } from '@deal-signals/local-stack/files/stack-file';
import { chromium, type Page } from 'playwright-core';
import { prepareChromium } from './chromium.ts';

// `pnpm pictures`: takes pictures of every page of the console and the documentation of the running `pnpm start`, for people
// to look at after a visual change.

const FOLDER = path.join(REPOSITORY_ROOT, '.pictures/pages');
const VARIANTS = [
  { name: 'light', width: 1280, height: 860, colorScheme: 'light' },
  { name: 'dark', width: 1280, height: 860, colorScheme: 'dark' },
  { name: 'narrow', width: 390, height: 844, colorScheme: 'light' },
] as const;
/** The pages of the console that need no id, by the name in their URL. */
const PAGES = [
  '',
  'endpoints',
  'endpoints/new',
  'deliveries',
  'dead-letters',
  'alert-channels',
  'why',
  'rooms',
  'calls',
  'events',
  'api-keys',
  'audit-log',
];
const DOCS = ['docs', 'docs/guides/first-sync', 'docs/events', 'docs/changelog'];

const stack = await readStackFile(LOCAL_FOLDER);
const company = stack?.companies[0];
if (stack === undefined || company === undefined) {
  console.error('No demo is running: run "pnpm start" in another terminal.');
  process.exit(1);
}
const { apiUrl } = stack;
const { sessionToken } = company;
const { executablePath, environment } = await prepareChromium();
const browser = await chromium.launch({ executablePath, env: { ...process.env, ...environment } });
try {
  await mkdir(FOLDER, { recursive: true });
  const paths = [...PAGES, ...(await pagesOfObjects())];
  for (const { name, width, height, colorScheme } of VARIANTS) {
    const context = await browser.newContext({
      viewport: { width, height },
      colorScheme,
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    for (const place of paths) {
      await page.goto(new URL(`/console/${place}#session=${sessionToken}`, apiUrl).href);
      await take(page, `console-${fileName(place)}-${name}`);
    }
    for (const place of DOCS) {
      await page.goto(new URL(`/api/v1/${place}`, apiUrl).href);
      await take(page, `${fileName(place)}-${name}`);
    }
    await context.close();
  }
  console.log(FOLDER);
} finally {
  await browser.close();
}

/** Waits until a page is complete, and saves its picture. */
async function take(page: Page, name: string): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  // Names of objects and chart data arrive after the first responses.
  await page.waitForLoadState('networkidle');
  await page
    .getByRole('status', { name: /^Loading/ })
    .first()
    .waitFor({ state: 'hidden' });
  // A guide is a long text, so a picture of its beginning is enough.
  await page.screenshot({ path: path.join(FOLDER, `${name}.png`), fullPage: name.startsWith('console') });
}

/** Returns the pages of one object of each kind. */
async function pagesOfObjects(): Promise<string[]> {
  const [endpoint, delivery, room, call] = await Promise.all([
    newest('/api/v1/webhooks'),
    newest('/console/api/webhook-deliveries?order=desc&limit=1'),
    newest('/console/api/decision-rooms?order=desc&limit=1'),
    newest('/console/api/calls?order=desc&limit=1'),
  ]);
  return [
    `endpoints/${endpoint}`,
    `endpoints/${endpoint}/change`,
    `deliveries/${delivery}`,
    `rooms/${room}`,
    `calls/${call}`,
    `why?buyer_space_id=${room}`,
  ];
}

async function newest(operation: string): Promise<string | number> {
  const response = await fetch(new URL(operation, apiUrl), {
    headers: { authorization: `Bearer ${sessionToken}` },
  });
  const { data } = (await response.json()) as { data: { id: string | number }[] };
  const [first] = data;
  if (first === undefined) throw new Error(`${operation} returned no object to take a picture of`);
  return first.id;
}

/** Returns the file name for the URL of a page, without ids. */
function fileName(place: string): string {
  const name = place.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|\d+/g, 'one').replaceAll(/[/?=]/g, '-');
  return name === '' ? 'overview' : name;
}
