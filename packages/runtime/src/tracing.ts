/** The tracing of a process. */
export interface Tracing {
  /** Returns the `traceparent` of the span of the current request or job. */
  activeTraceparent(): string | undefined;
  /** Names the span of the current request after its route. The caller's text is not traced, because it may contain secrets. */
  nameRequest(route: string): void;
  /** Runs a tick of the dispatcher in a trace of its own. */
  traceTick<T>(run: () => Promise<T>): Promise<T>;
  /** Runs an attempt in a span. */
  traceAttempt<T>(attempt: TracedAttempt, run: () => Promise<T>): Promise<T>;
  /** Sends the remaining spans, within a few seconds. */
  stop(): Promise<void>;
}

/** An attempt, as it appears in a trace. */
export interface TracedAttempt {
  /** The header that the receiver gets. The span has the ids of this header, so that it is the parent of the receiver's spans. */
  traceparent: string;
  /** The `traceparent` of the span that captured the event, the parent of the attempt's spans; null if there was none. */
  captureTraceparent: string | null;
  /** How long the attempt was due before it began. */
  waitedMs: number;
  /** The fields that identify the attempt, as in the log. */
  facts: Readonly<Record<string, string | number>>;
}

let current: Tracing | undefined;

/** Returns the tracing of this process; undefined if it is off. */
export function tracing(): Tracing | undefined {
  return current;
}

/**
 * Starts tracing if one of OpenTelemetry's own variables configures a collector. Otherwise, neither the OpenTelemetry SDK nor its
 * instrumentations are loaded. It must run before the traced libraries are loaded.
 *
 * @param app the name of the app. The name of the service is `deal-signals-` and this, unless `OTEL_SERVICE_NAME` is set.
 */
export async function traceIfConfigured(app: string, environment: NodeJS.ProcessEnv): Promise<void> {
  const {
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: endpointOfTraces,
    OTEL_SERVICE_NAME: serviceName,
  } = environment;
  if (!endpoint && !endpointOfTraces) return;
  const { startTracing } = await import('./opentelemetry.ts');
  current = startTracing(serviceName || `deal-signals-${app}`);
}
