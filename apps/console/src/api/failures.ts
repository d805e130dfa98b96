/** A response of the API that is no success. */
export class ApiFailure extends Error {
  readonly status: number;
  /** The stable code of the error. */
  readonly code: string;
  /** Seconds to wait before the next request; null if the API named none. */
  readonly retryAfterSeconds: number | null;
  /** Identifies the request in the logs of the API. */
  readonly requestId: string | null;

  private constructor(response: Response, code: string, message: string) {
    super(message);
    this.name = 'ApiFailure';
    this.status = response.status;
    this.code = code;
    this.requestId = response.headers.get('X-Request-Id');
    const retryAfter = Number(response.headers.get('Retry-After') ?? Number.NaN);
    this.retryAfterSeconds = Number.isFinite(retryAfter) ? retryAfter : null;
  }

  /** Reads the error of a response. A proxy in between may have written something else than the API would. */
  static async of(response: Response): Promise<ApiFailure> {
    const body: unknown = await response.json().catch(() => null);
    if (typeof body === 'object' && body !== null && 'code' in body && 'error' in body) {
      return new ApiFailure(response, String(body.code), String(body.error));
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
