/** A response of the API that is no success. */
export class ApiFailure extends Error {
  readonly status: number;
  /** The stable code of the error. */
  readonly code: string;
  /** The one input of the request that is wrong, such as `url` or `events.0`; null if it is none in particular. */
  readonly field: string | null;
  /** Seconds to wait before the next request; null if the API named none. */
  readonly retryAfterSeconds: number | null;
  /** Identifies the request in the logs of the API. */
  readonly requestId: string | null;

  private constructor(response: Response, code: string, message: string, field: string | null = null) {
    super(message);
    this.name = 'ApiFailure';
    this.status = response.status;
    this.code = code;
    this.field = field;
    this.requestId = response.headers.get('X-Request-Id');
    const retryAfter = Number(response.headers.get('Retry-After') ?? Number.NaN);
    this.retryAfterSeconds = Number.isFinite(retryAfter) ? retryAfter : null;
  }

  /** Reads the error of a response. A proxy in between may have written something else than the API would. */
  static async of(response: Response): Promise<ApiFailure> {
    const body: unknown = await response.json().catch(() => null);
    if (typeof body === 'object' && body !== null && 'code' in body && 'error' in body) {
      const field = 'field' in body ? String(body.field) : null;
      return new ApiFailure(response, String(body.code), String(body.error), field);
    }
    return new ApiFailure(response, 'UNKNOWN', `the server responded with ${response.status}`);
  }
}

/** There was no response at all. */
export class UnreachableFailure extends Error {
  constructor(cause: unknown) {
    super('the server cannot be reached', { cause });
    this.name = 'UnreachableFailure';
  }
}

/** Returns whether the requested object does not exist, or no longer exists. */
export function isGone(error: unknown): boolean {
  return error instanceof ApiFailure && error.status === 404;
}

/** What was read of an object. @throws the error that says that it is gone, even if it was there before. */
export function present<Data>({ data, error }: { data: Data; error: unknown }): Data {
  if (isGone(error)) throw error;
  return data;
}

/** An error in a sentence. */
export function sentenceOf(error: unknown): string {
  return asSentence(error instanceof Error ? error.message : 'something unexpected happened');
}

/** A message of the API with a capital letter and a full stop. */
export function asSentence(message: string): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}${/[.!?]$/.test(message) ? '' : '.'}`;
}
