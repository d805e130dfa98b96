import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { receiveDeliveries, type Envelope } from './receive-deliveries.mts';

const SECRETS = (process.env['WEBHOOK_SECRETS'] ?? '').split(',').filter((secret) => secret !== '');
const PORT = Number(process.env['PORT'] ?? 8080);
/** Files in PEM form, to serve HTTPS. Without them, something in front of this program terminates TLS. */
const { TLS_CERT_FILE, TLS_KEY_FILE } = process.env;
/** Stands for a table with a unique id. */
const INBOX = 'inbox.ndjson';
const REQUEST_TIMEOUT_MS = 10_000;

if (SECRETS.length === 0) throw new Error('WEBHOOK_SECRETS: set at least one signing secret');
const stored = existsSync(INBOX) ? readFileSync(INBOX, 'utf8').split('\n').slice(0, -1) : [];
const seen = new Set(stored.map((line) => (JSON.parse(line) as Envelope).id));

function store(envelope: Envelope): void {
  if (seen.has(envelope.id)) return;
  appendFileSync(INBOX, `${JSON.stringify(envelope)}\n`);
  seen.add(envelope.id);
  setImmediate(work, envelope);
}

/** Runs after the response. Put slow work here. */
function work(envelope: Envelope): void {
  if (envelope.type === 'decision_room.updated') console.log('a room has changed', envelope.data);
}

const onRequest = receiveDeliveries({
  secrets: SECRETS,
  store,
  onRefused: (reason) => console.warn(`refused: ${reason}`),
});
const options = { requestTimeout: REQUEST_TIMEOUT_MS };
const server =
  TLS_CERT_FILE && TLS_KEY_FILE
    ? createTlsServer(
        { ...options, cert: readFileSync(TLS_CERT_FILE), key: readFileSync(TLS_KEY_FILE) },
        onRequest,
      )
    : createServer(options, onRequest);
server.listen(PORT);
