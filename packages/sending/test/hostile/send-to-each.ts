import { readFileSync } from 'node:fs';
import { createSender } from '../../src/guarded-send.ts';

/**
 * A process of its own: sends to each of the URLs at once and prints what that came to, as JSON. It neither closes the
 * sender nor exits, so it ends only if nothing is left under way.
 */
const [caFile = '', timeoutMs = '', ...urls] = process.argv.slice(2);

const sender = createSender({
  timeoutMs: Number(timeoutMs),
  ca: readFileSync(caFile, 'utf8'),
  allowedPrivateHosts: new Set(['127.0.0.1']),
  dnsServers: null,
});
const results = await Promise.all(
  urls.map((url) => sender.send({ url: new URL(url), body: '{}', headers: {} })),
);
process.stdout.write(JSON.stringify(results));
