import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { REPOSITORY_ROOT } from '@deal-signals/local-stack/files/local-folder';
import { afterAll, describe } from '@jest/globals';
import { type Browser, type Page, chromium } from 'playwright-core';
import { hasChromium, prepareChromium } from './chromium.ts';

export interface TestBrowser {
  /** Opens a page with storage of its own. The page closes with the browser at the latest. */
  newPage(options?: PageOptions): Promise<TestPage>;
  close(): Promise<void>;
}

export interface PageOptions {
  /** Width of the viewport in CSS pixels. */
  width?: number;
  height?: number;
  colorScheme?: 'light' | 'dark';
}

export interface TestPage {
  readonly page: Page;
  /** The URL of every request so far by the page, its frames, its workers and the pages that it opened. */
  readonly requests: readonly string[];
  /** Every console error with its URL, and every uncaught exception. */
  readonly errors: readonly string[];
  /**
   * Returns the requests to other origins than the given one, such as `http://127.0.0.1:3000`. A `blob:` URL has no host and
   * does not count.
   */
  readonly requestsOutside: (origin: string) => string[];
}

const open = new Set<Browser>();

// Runs before the hooks of the test file, which may stop the server that a page still uses.
afterAll(async () => {
  await Promise.all([...open].map((browser) => browser.close()));
});

/**
 * Defines tests that need a browser. They are skipped on a machine without one, such as a Mac without Chrome.
 *
 * @param name as for `describe` of Jest.
 */
export function describeInBrowser(name: string, tests: () => void): void {
  if (hasChromium()) {
    describe(name, tests);
    return;
  }
  console.warn(`Skipped "${name}" because there is no Chromium. Install one, or set CHROMIUM_PATH.`);
  describe.skip(name, tests);
}

/** Starts a browser. It ends with the test file at the latest. */
export async function openBrowser(): Promise<TestBrowser> {
  const { executablePath, environment } = await prepareChromium();
  const browser = await chromium.launch({
    executablePath,
    env: { ...process.env, ...environment },
    // Only this machine can be reached, so a test behaves the same with and without a network.
    args: ['--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1'],
  });
  open.add(browser);
  return {
    newPage: (options) => newPage(browser, options),
    async close() {
      open.delete(browser);
      await browser.close();
    },
  };
}

async function newPage(
  browser: Browser,
  { width = 1280, height = 800, colorScheme = 'light' }: PageOptions = {},
): Promise<TestPage> {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme,
    // During a transition a page has other colours, which axe and pictures would see.
    reducedMotion: 'reduce',
  });
  // Only ends what hangs: a busy machine takes several times as long as an idle one.
  context.setDefaultTimeout(120_000);
  const requests: string[] = [];
  const errors: string[] = [];
  context.on('request', (request) => requests.push(request.url()));
  context.on('console', (message) => {
    if (message.type() === 'error') errors.push(`${message.text()} ${message.location().url}`.trim());
  });
  context.on('weberror', (error) => errors.push(String(error.error())));
  context.on('page', (page) => page.on('websocket', (socket) => requests.push(socket.url())));
  return {
    page: await context.newPage(),
    requests,
    errors,
    requestsOutside: (origin) =>
      requests.filter((url) => new URL(url).host !== '' && new URL(url).host !== new URL(origin).host),
  };
}

/**
 * Writes a picture of a page for people to look at: `.pictures/NAME.png` in the checkout, which git ignores.
 *
 * @param name may contain folders.
 * @param options.fullPage false for what the window shows; otherwise the whole height of the page.
 * @returns the file.
 */
export async function screenshot(
  page: Page,
  name: string,
  { fullPage = true }: { fullPage?: boolean } = {},
): Promise<string> {
  const file = path.join(REPOSITORY_ROOT, '.pictures', `${name}.png`);
  await mkdir(path.dirname(file), { recursive: true });
  await page.screenshot({ path: file, fullPage });
  return file;
}
