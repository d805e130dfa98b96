import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { axe } from '../src/browser/axe.ts';
import { type TestBrowser, describeInBrowser, openBrowser, screenshot } from '../src/browser/open.ts';
import { until } from '../src/until.ts';

/** A page with every fault that the tests of a real page look for, under a policy that forbids third-party scripts. */
const FAULTY = `<!doctype html><html lang="en"><head><title>Faulty</title><script src="/faulty.js" defer></script></head>
  <body><main><h1>Faulty</h1>
    <img alt="A picture of another site" src="http://elsewhere.example/picture.png">
    <button id="unnamed" style="width: 40px; height: 40px"></button>
    <div><button id="small" style="width: 9px; height: 9px; padding: 0" aria-label="a"></button><button
      id="near" style="width: 9px; height: 9px; padding: 0" aria-label="b"></button></div>
    <p id="pale">Grey on the ground of the dark theme</p>
    <style>@media (prefers-color-scheme: dark) { #pale { color: #333; background: #222 } }</style>
  </main><p id="outside">Outside of every landmark</p></body></html>`;

const SCRIPT = `console.error('written as an error');
  console.log('no error');
  new WebSocket('ws://socket.example/live');
  fetch(URL.createObjectURL(new Blob(['part of the page'])));
  throw new Error('caught by nothing');`;

const FAULTLESS = `<!doctype html><html lang="en"><head><title>Faultless</title></head><body><main><h1>Faultless</h1>
  <p><span id="narrow">iiii</span> <span id="wide">WWWW</span></p>
  <p style="font-family: monospace"><span id="mono-narrow">iiii</span> <span id="mono-wide">WWWW</span></p>
  </main></body></html>`;

describeInBrowser('a browser in a test', () => {
  let server: Server;
  let origin: string;
  let browser: TestBrowser;

  beforeAll(async () => {
    server = createServer((request, response) => {
      response.setHeader(
        'content-security-policy',
        "default-src 'self'; style-src 'unsafe-inline'; img-src *; connect-src * blob:",
      );
      if (request.url === '/faulty.js') response.setHeader('content-type', 'text/javascript').end(SCRIPT);
      else if (request.url === '/favicon.ico') response.writeHead(204).end();
      else
        response.setHeader('content-type', 'text/html').end(request.url === '/faulty' ? FAULTY : FAULTLESS);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await openBrowser();
  });

  afterAll(async () => {
    await browser.close();
    await new Promise((resolve) => server.close(resolve));
  });

  test('reports requests to other origins, errors and accessibility violations', async () => {
    const { page, requests, errors, requestsOutside } = await browser.newPage({ colorScheme: 'dark' });
    await page.goto(`${origin}/faulty`);
    expect(requests).toContain(`${origin}/faulty.js`);
    await until('the socket', () => requests.some((url) => url.startsWith('ws:')));
    expect(requests.filter((url) => url.startsWith('blob:'))).toHaveLength(1);
    expect(requestsOutside(origin).toSorted()).toEqual([
      'http://elsewhere.example/picture.png',
      'ws://socket.example/live',
    ]);
    expect(errors).toContainEqual(expect.stringMatching(/^written as an error http.*\/faulty\.js$/));
    expect(errors).toContain('Error: caught by nothing');
    expect(errors).not.toContain('no error');
    const faults = await axe(page);
    expect(faults.map((fault) => fault.replace(/^([\w-]+): .*?: (#\S+) .*/, '$1 $2')).toSorted()).toEqual([
      'button-name #unnamed',
      'color-contrast #pale',
      'region #outside',
      'target-size #near',
      'target-size #small',
    ]);
    expect(faults.find((fault) => fault.startsWith('color-contrast'))).toMatch(
      /insufficient color contrast of 1\.\d+/,
    );
  });

  test('reports nothing for a page without faults, and keeps the pages apart', async () => {
    const { page, errors, requests, requestsOutside } = await browser.newPage({ width: 390, height: 700 });
    await page.goto(`${origin}/faultless`);
    expect(await axe(page)).toEqual([]);
    expect(errors).toEqual([]);
    expect(requests).toEqual([`${origin}/faultless`]);
    expect(requestsOutside(origin)).toEqual([]);
    expect(await page.evaluate('innerWidth')).toBe(390);
  });

  test('has fonts, even on a machine without any', async () => {
    const { page } = await browser.newPage();
    await page.goto(`${origin}/faultless`);
    const widthOf = async (id: string) => (await page.locator(`#${id}`).boundingBox())!.width;
    expect(await widthOf('narrow')).toBeGreaterThan(0);
    expect(await widthOf('wide')).toBeGreaterThan(await widthOf('narrow'));
    expect(await widthOf('mono-wide')).toBe(await widthOf('mono-narrow'));
    const png = await readFile(await screenshot(page, 'test-kit/faultless'));
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    expect(png.readUInt32BE(16)).toBe(1280);
  });
});
