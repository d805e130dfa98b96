import { readFileSync } from 'node:fs';
import { createSender } from '../../src/guard/guarded-send.ts';

/**
 * Runs in a separate process: sends to all URLs at once and prints the results as JSON. It neither closes the sender nor exits,
 * so the process ends only when no request is open.
 */
const [caFile = '', timeoutMs = '', ...urls] = process.argv.slice(2);

const sender = createSender({
  timeoutMs: Number(timeoutMs),
  ca: readFileSync(caFile, 'utf8'),
  allowedPrivateHosts: new Set(['127.0.0.1']),
});
const results = await Promise.all(
  urls.map((url) => sender.send({ url: new URL(url), body: '{}', headers: {} })),
);
process.stdout.write(JSON.stringify(results));
