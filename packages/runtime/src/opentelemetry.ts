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
/** Attributes that the HTTP instrumentation takes from a request. A caller may have put a secret into them. */
const PRIVATE_ATTRIBUTES = /^(url\.(path|query|full)|http\.(url|target|user_agent)|user_agent\.original)$/;

/**
 * Starts tracing of requests, statements, Redis commands and attempts, and sends the spans to the configured collector.
 * OpenTelemetry's own variables configure the collector, sampling and batching.
 */
export function startTracing(serviceName: string): Tracing {
  const ids = createIds();
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName }),
    idGenerator: ids.generator,
    spanProcessors: [new BatchSpanProcessor(withoutPrivateAttributes(new OTLPTraceExporter()))],
  });
  // This also installs the context manager for asynchronous calls and the propagator for `traceparent`.
  provider.register();
  registerInstrumentations({
    tracerProvider: provider,
    instrumentations: [
      new HttpInstrumentation({
        ignoreIncomingRequestHook: ({ url = '' }) => PROBES.test(url),
        // The request to a receiver is the attempt. Its header is signed and stored, so it must not be replaced.
        disableOutgoingRequestInstrumentation: true,
      }),
      new PgInstrumentation({ requireParentSpan: true }),
      new IORedisInstrumentation({ dbStatementSerializer: (command) => command }),
    ],
  });
  // The instrumentations patch a module when it is required. They patch prototypes only, so code that imports the same module is
  // patched too.
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
      // The job belongs to the trace of the tick that claimed the deliveries.
      const job = trace.getActiveSpan();
      const links: Link[] = job === undefined ? [] : [{ context: job.spanContext() }];
      const nowMs = Date.now();
      // A span without a parent gets its trace id from here.
      ids.useNext({ traceId });
      const wait = tracer.startSpan(
        'wait',
        { startTime: nowMs - waitedMs, attributes: facts },
        captureTraceparent === null ? ROOT_CONTEXT : toContext(captureTraceparent),
      );
      wait.end(nowMs);
      ids.useNext({ spanId });
      const span = tracer.startSpan(
        'attempt',
        // oxlint-disable-next-line typescript/no-unsafe-enum-assignment -- the linter treats one enum as two
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
      // An unreachable collector must not delay the shutdown.
      await withTimeout(STOP_MS, provider.shutdown()).catch(() => {});
    },
  };
}

/** Returns a context in which the span of a `traceparent` is the parent of new spans. */
function toContext(traceparent: string): Context {
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

/** Generates ids of spans. They are random, except that the next span can be given an id; spans start synchronously. */
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

/** Removes attributes with text from callers before a span leaves the process. */
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
