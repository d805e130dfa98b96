/** The API's response to a refused request. */
export interface Refusal {
  /** The HTTP status. */
  status: number;
  /** The stable code of the API, such as `API_KEY_INVALID`; null if the response did not come from the API. */
  code: string | null;
  /** The input that the API rejected, such as a query parameter; null if the error is not about one input. */
  field: string | null;
  /** The `X-Request-Id` of the response, for the log of the service. */
  requestId: string | null;
}

/** The API refused a request, and repeating it cannot help. */
export class ApiRefusal extends Error implements Refusal {
  override name = 'ApiRefusal';
  readonly status: number;
  readonly code: string | null;
  readonly field: string | null;
  readonly requestId: string | null;

  constructor(message: string, { status, code, field, requestId }: Refusal) {
    super(message);
    this.status = status;
    this.code = code;
    this.field = field;
    this.requestId = requestId;
  }
}

/** The API could not be reached, or did not respond properly, for longer than the caller was willing to wait. */
export class ApiUnavailable extends Error {
  override name = 'ApiUnavailable';
}

/**
 * A record is nested too deeply for this program or its store. The API rejects such records when they are captured, so the
 * record is from an earlier version or another server.
 */
export class RecordTooDeep extends Error {
  override name = 'RecordTooDeep';
  /** The path of the feed. */
  readonly feed: string;
  readonly recordId: string;

  constructor(
    message: string,
    { feed, recordId, cause }: { feed: string; recordId: string; cause?: unknown },
  ) {
    super(message, { cause });
    this.feed = feed;
    this.recordId = recordId;
  }
}

/** Returns the message of a thrown value with its cause, because "fetch failed" alone explains nothing. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? describeCause(error.cause) : '';
  return cause === '' || error.message.includes(cause) ? error.message : `${error.message}: ${cause}`;
}

function describeCause(cause: Error & { code?: unknown }): string {
  // Node.js reports a host with several addresses as an error without a message.
  if (cause instanceof AggregateError && cause.errors[0] instanceof Error) return cause.errors[0].message;
  return cause.message || (typeof cause.code === 'string' ? cause.code : '');
}
