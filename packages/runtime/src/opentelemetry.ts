import { createRequire } from 'node:module';
import { type Context, context, type Link, ROOT_CONTEXT, SpanKind, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { registerInstrumentations } from '@opentelemetry/instrumentation';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { IORedisInstrumentation } from '@opentelemetry/instrumentation-ioredis';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  type IdGenerator,
  NodeTracerProvider,
  RandomIdGenerator,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-node';
import { describeError } from './logger.ts';
import type { Tracing } from './tracing.ts';
import { withTimeout } from './with-timeout.ts';

const STOP_MS = 3_000;
const PROBES = /^\/(healthz|readyz|metrics)(\?|$)/;
/** What the instrumentation of HTTP reads from a request and callers can put a secret into. */
const PRIVATE_ATTRIBUTES = /^(url\.(path|query|full)|http\.(url|target|user_agent)|user_agent\.original)$/;

/**
 * Starts to trace requests, statements, Redis commands and attempts, and to send the spans to the collector that
 * OpenTelemetry's own variables name. It samples and sends in batches as those variables say.
 */
export function startTracing(serviceName: string): Tracing {
  const ids = createIds();
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName }),
    idGenerator: ids.generator,
    spanProcessors: [new BatchSpanProcessor(withoutPrivateAttributes(new OTLPTraceExporter()))],
  });
  // Also makes the context follow asynchronous calls, and `traceparent` the header that is read.
  provider.register();
  registerInstrumentations({
    tracerProvider: provider,
    instrumentations: [
      new HttpInstrumentation({
        ignoreIncomingRequestHook: ({ url = '' }) => PROBES.test(url),
        // The request to a receiver is the attempt. Its header is signed and stored, so nothing may replace it.
        disableOutgoingRequestInstrumentation: true,
      }),
      new PgInstrumentation({ requireParentSpan: true }),
      new IORedisInstrumentation({ dbStatementSerializer: (command) => command }),
    ],
  });
  // The instrumentations change a module when it is required. All their changes are to prototypes, so they also reach the
  // code that imports the same module.
  const require = createRequire(import.meta.url);
  for (const name of ['node:http', 'pg', 'ioredis']) require(name);

  const tracer = provider.getTracer('deal-signals');
  return {
    activeTraceparent() {
      const active = trace.getActiveSpan()?.spanContext();
      return active && `00-${active.traceId}-${active.spanId}-${hexByte(active.traceFlags)}`;
    },
    nameRequest(route) {
      trace.getActiveSpan()?.setAttribute('http.route', route).updateName(route);
    },
    traceTick: (run) =>
      tracer.startActiveSpan('tick', { root: true }, (span) => run().finally(() => span.end())),
    async traceAttempt({ traceparent, captureTraceparent, waitedMs, facts }, run) {
      const [, traceId = '', spanId = ''] = traceparent.split('-');
      // The job has a trace of its own: that of the tick that has claimed many deliveries.
      const job = trace.getActiveSpan();
      const links: Link[] = job === undefined ? [] : [{ context: job.spanContext() }];
      const nowMs = Date.now();
      // Without a parent, the span takes the trace id from here.
      ids.useNext({ traceId });
      const wait = tracer.startSpan(
        'wait',
        { startTime: nowMs - waitedMs, attributes: facts },
        captureTraceparent === null ? ROOT_CONTEXT : contextOf(captureTraceparent),
      );
      wait.end(nowMs);
      ids.useNext({ spanId });
      const span = tracer.startSpan(
        'attempt',
        // oxlint-disable-next-line typescript/no-unsafe-enum-assignment -- it takes the same enum for two
        { kind: SpanKind.CLIENT, attributes: facts, links },
        trace.setSpan(context.active(), wait),
      );
      try {
        return await context.with(trace.setSpan(context.active(), span), run);
      } catch (error) {
        // Names and messages only, as in the log.
        span.recordException(describeError(error).error);
        throw error;
      } finally {
        span.end();
      }
    },
    async stop() {
      // A collector that is away must not hold up the process.
      await withTimeout(STOP_MS, provider.shutdown()).catch(() => {});
    },
  };
}

/** The context in which what is named by a `traceparent` is the parent of new spans. */
function contextOf(traceparent: string): Context {
  const [, traceId = '', spanId = '', flags = ''] = traceparent.split('-');
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16),
    isRemote: true,
  });
}

function hexByte(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}

/** Ids of spans: random ones, except those that are asked for, for the next span. Spans start synchronously. */
function createIds(): {
  generator: IdGenerator;
  useNext: (ids: { traceId?: string; spanId?: string }) => void;
} {
  const random = new RandomIdGenerator();
  let next: { traceId?: string; spanId?: string } = {};
  const take = (name: 'traceId' | 'spanId'): string | undefined => {
    const { [name]: id, ...rest } = next;
    next = rest;
    return id;
  };
  return {
    generator: {
      generateTraceId: () => take('traceId') ?? random.generateTraceId(),
      generateSpanId: () => take('spanId') ?? random.generateSpanId(),
    },
    useNext(ids) {
      next = ids;
    },
  };
}

/** Removes what callers have sent before a span leaves the process. */
function withoutPrivateAttributes(exporter: SpanExporter): SpanExporter {
  return {
    export(spans, done) {
      for (const { attributes } of spans) {
        for (const name of Object.keys(attributes)) {
          if (PRIVATE_ATTRIBUTES.test(name)) delete attributes[name];
        }
      }
      exporter.export(spans, done);
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}
