/** An unsuccessful response of the API. */
export class ApiFailure extends Error {
  readonly status: number;
  /** The stable code of the error. */
  readonly code: string;
  /** The invalid input of the request, such as `url` or `events.0`; null if the error is not about one input. */
  readonly field: string | null;
  /** Seconds to wait before the next request; null if the API sent none. */
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

  /** Reads the error of a response. A proxy may have sent a body in another format. */
  static async of(response: Response): Promise<ApiFailure> {
    const body: unknown = await response.json().catch(() => null);
    if (typeof body === 'object' && body !== null && 'code' in body && 'error' in body) {
      const field = 'field' in body ? String(body.field) : null;
      return new ApiFailure(response, String(body.code), String(body.error), field);
    }
    return new ApiFailure(response, 'UNKNOWN', `the server responded with ${response.status}`);
  }
}

/** There was no response. */
export class UnreachableFailure extends Error {
  constructor(cause: unknown) {
    super('the server cannot be reached', { cause });
    this.name = 'UnreachableFailure';
  }
}

/** Whether the requested object does not exist, or no longer does. */
export function isGone(error: unknown): boolean {
  return error instanceof ApiFailure && error.status === 404;
}

/** Returns the data of an object that was read. @throws the error if the object is gone, even if it was read before. */
export function unlessGone<Data>({ data, error }: { data: Data; error: unknown }): Data {
  if (isGone(error)) throw error;
  return data;
}

/** Formats an error as a sentence. */
export function errorSentence(error: unknown): string {
  return asSentence(error instanceof Error ? error.message : 'something unexpected happened');
}

/** Formats a message of the API as a sentence, with a capital letter and a full stop. */
export function asSentence(message: string): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}${/[.!?]$/.test(message) ? '' : '.'}`;
}
