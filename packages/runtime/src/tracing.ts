/** Traces what this process does. */
export interface Tracing {
  /** The `traceparent` that names the span of the request or job that is under way. */
  activeTraceparent(): string | undefined;
  /** Names the request that is under way after its route. What the caller sent is not traced: it may hold secrets. */
  nameRequest(route: string): void;
  /** Runs a tick of the dispatcher as a trace of its own. */
  traceTick<T>(run: () => Promise<T>): Promise<T>;
  /** Runs an attempt as a span. */
  traceAttempt<T>(attempt: TracedAttempt, run: () => Promise<T>): Promise<T>;
  /** Sends what has not been sent yet, for at most a few seconds. */
  stop(): Promise<void>;
}

/** An attempt, and how it appears in a trace. */
export interface TracedAttempt {
  /** The header that the receiver gets: the span has the ids of this header, so that the receiver's spans are below it. */
  traceparent: string;
  /** The `traceparent` that names the span in which its event was captured: the parent of its spans. */
  captureTraceparent: string | null;
  /** How long it was due. */
  waitedMs: number;
  /** What identifies it, as in the log. */
  facts: Readonly<Record<string, string | number>>;
}

let current: Tracing | undefined;

/** The tracing of this process; undefined if it is off. */
export function tracing(): Tracing | undefined {
  return current;
}

/**
 * Starts tracing if a collector is configured, by one of the variables that OpenTelemetry defines. Otherwise
 * neither the SDK of OpenTelemetry nor an instrumentation is loaded. It has to run before the libraries are used that it traces.
 *
 * @param app the name of the service is `deal-signals-` and this, unless `OTEL_SERVICE_NAME` is set.
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
