import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { RunningApp } from '@deal-signals/test-kit/processes';
import { until } from '@deal-signals/test-kit/until';
import { LINK } from '@deal-signals/test-kit/worlds/captured';
import { COMPANY } from '@deal-signals/test-kit/worlds/ids';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openScene, type Scene } from '../../src/faults/scene.ts';
import { createKey } from '../published-api.ts';

// Follows one event from the request that captures it to the header that its receiver gets, by the spans that a stand-in for a
// collector receives.

interface Span {
  service: string;
  scope: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: Record<string, unknown>;
  links: { traceId: string; spanId: string }[];
}

interface Attribute {
  key: string;
  value: Record<string, unknown>;
}

/**
 * The JSON form of OTLP (https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding), with the fields that are read
 * here.
 */
interface ExportRequest {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: {
      scope: { name: string };
      spans: (Omit<Span, 'attributes' | 'service' | 'scope' | 'links'> & {
        attributes?: Attribute[];
        links?: Span['links'];
      })[];
    }[];
  }[];
}

const CAPTURE_TOKEN = 'capture-token-of-thirty-two-characters';
const SERVER = 2;
const CLIENT = 3;
const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER = '00f067aa0ba902b7';

const spans: Span[] = [];
const collector = createServer((request, response) => {
  void (async () => {
    const { resourceSpans } = (await json(request)) as ExportRequest;
    for (const { resource, scopeSpans } of resourceSpans) {
      const service = String(valuesOf(resource.attributes)['service.name']);
      for (const { scope, spans: some } of scopeSpans) {
        for (const { attributes = [], links = [], ...span } of some) {
          spans.push({ ...span, service, scope: scope.name, attributes: valuesOf(attributes), links });
        }
      }
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  })();
});

let scene: Scene;
let api: RunningApp;

function valuesOf(attributes: Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}

beforeAll(async () => {
  collector.listen(0, '127.0.0.1');
  await once(collector, 'listening');
  const { port } = collector.address() as AddressInfo;
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`, OTEL_BSP_SCHEDULE_DELAY: '100' };
  scene = await openScene();
  [api] = await Promise.all([
    scene.startApi({ ...env, CAPTURE_PORT: '0', CAPTURE_TOKENS: CAPTURE_TOKEN }),
    scene.startWorker(env),
  ]);
});
afterAll(async () => {
  await api.stop();
  await scene.close();
  collector.closeAllConnections();
  collector.close();
});

/** Captures an engagement event over the capture port. */
async function captureEvent(key: string, headers: Record<string, string> = {}): Promise<void> {
  const port = /"capturePort":(\d+)/.exec(api.output())?.[1];
  const response = await fetch(`http://127.0.0.1:${port}/records`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${CAPTURE_TOKEN}`,
      'content-type': 'application/x-ndjson',
      ...headers,
    },
    body: `${JSON.stringify({
      record: 'event',
      companyId: COMPANY,
      key,
      type: 'room_visit',
      occurredAt: '2026-09-01T12:00:00Z',
      distributionId: LINK,
    })}\n`,
  });
  expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('"committed":1')]);
}

/** Waits for a span. */
const find = (what: string, wanted: (span: Span) => boolean): Promise<Span> =>
  until(what, () => spans.find(wanted));

/** Returns the spans of a trace whose parent is not in it. */
function rootsOf(traceId: string): Span[] {
  const own = spans.filter((span) => span.traceId === traceId);
  const ids = new Set(own.map(({ spanId }) => spanId));
  return own.filter(({ parentSpanId = '' }) => !ids.has(parentSpanId));
}

const textOf = ({ attributes }: Span): string => String(attributes['db.query.text']);

test('one trace leads from the capturing request through the outbox and the queue to the receiver', async () => {
  await captureEvent('traced', { traceparent: `00-${TRACE_ID}-${CALLER}-01` });
  await scene.receiver.untilArrived(1);
  const [, traceId, attemptId] = String(scene.receiver.arrivals[0]?.request.headers['traceparent']).split(
    '-',
  );
  expect(traceId).toBe(TRACE_ID);
  const findHere = (what: string, wanted: (span: Span) => boolean) =>
    find(what, (span) => span.traceId === TRACE_ID && wanted(span));

  const request = await findHere('the request', ({ kind }) => kind === SERVER);
  expect(request).toMatchObject({
    service: 'deal-signals-api',
    parentSpanId: CALLER,
    name: '/records',
    attributes: { 'http.route': '/records' },
  });
  const outbox = await findHere('the outbox', (span) =>
    textOf(span).includes('INSERT INTO pending_deliveries'),
  );
  expect(outbox).toMatchObject({ service: 'deal-signals-api' });

  const attempt = await findHere('the attempt', ({ spanId }) => spanId === attemptId);
  const { deliveryId } = scene.receiver.arrivals[0]!;
  expect(attempt).toMatchObject({
    service: 'deal-signals-worker',
    name: 'attempt',
    kind: CLIENT,
    attributes: { deliveryId, eventType: 'engagement.recorded' },
  });
  const wait = await findHere('the wait', ({ spanId }) => spanId === attempt.parentSpanId);
  expect(wait).toMatchObject({
    service: 'deal-signals-worker',
    name: 'wait',
    parentSpanId: request.spanId,
  });
  const outcome = await findHere('the outcome', (span) =>
    textOf(span).includes('INSERT INTO webhook_attempts'),
  );
  expect(outcome).toMatchObject({ service: 'deal-signals-worker' });
  expect(rootsOf(TRACE_ID)).toEqual([request]);

  // The job belongs to the tick that claimed the delivery, together with others.
  const [link] = attempt.links;
  const job = await find('the job', ({ spanId }) => spanId === link?.spanId);
  expect(job).toMatchObject({ scope: 'deal-signals', name: 'process webhook-attempts' });
  const ofTick = (wanted: (span: Span) => boolean) => (span: Span) =>
    span.traceId === job.traceId && wanted(span);
  await find(
    'the claim',
    ofTick((span) => textOf(span).includes('workspace_queue')),
  );
  await find(
    'the producer',
    ofTick(({ spanId }) => spanId === job.parentSpanId),
  );
});

test('no span of an unsampled trace is recorded', async () => {
  const trace = (digit: string) => digit.repeat(32);
  await captureEvent('unsampled', { traceparent: `00-${trace('a')}-${CALLER}-00` });
  await scene.receiver.untilArrived(2);
  await captureEvent('sampled', { traceparent: `00-${trace('b')}-${CALLER}-01` });
  // Each process sends its spans in the order in which they end.
  await find('a later attempt', ({ traceId, name }) => traceId === trace('b') && name === 'attempt');
  expect(spans.filter(({ traceId }) => traceId === trace('a'))).toEqual([]);
});

test('a request without a trace begins one, and no span contains data of callers', async () => {
  await captureEvent('untraced');
  await scene.receiver.untilArrived(4);
  const [, traceId] = String(scene.receiver.arrivals[3]?.request.headers['traceparent']).split('-');
  const findHere = (what: string, wanted: (span: Span) => boolean) =>
    find(what, (span) => span.traceId === traceId && wanted(span));
  const request = await findHere('the request', ({ kind }) => kind === SERVER);
  await findHere('the attempt', ({ name }) => name === 'attempt');
  expect(rootsOf(request.traceId)).toEqual([request]);

  const key = await createKey(api.baseUrl);
  const response = await fetch(`${api.baseUrl}/calls?cursor=hidden`, {
    headers: { authorization: `Bearer ${key}`, 'user-agent': 'hidden' },
  });
  expect([response.status, await response.json()]).toEqual([400, expect.anything()]);
  const call = await find('the call', ({ name }) => name === '/calls');
  await find('the rate limit', ({ traceId: of, scope }) => of === call.traceId && scope.endsWith('ioredis'));
  const all = JSON.stringify(spans);
  for (const secret of ['hidden', key, CAPTURE_TOKEN]) expect(all).not.toContain(secret);
  expect(all).not.toContain('readyz');
});
