import type { WebhookEvent } from './events.ts';
import { fromBase64, fromHex, matches, serviceKey, signedContent, standardKey } from './signatures.ts';

/** Older signatures are rejected by default, so that a recorded delivery cannot be replayed. */
const DEFAULT_TOLERANCE_SECONDS = 300;
const SIGNATURE_BYTES = 32;
/** A rotation overlaps two secrets. More signatures than this are no delivery of ours, and each costs time. */
const MAX_SIGNATURES = 8;

/** The headers of a request: a `Headers`, or the object of Node.js. */
export type WebhookHeaders =
  { get(name: string): string | null } | Readonly<Record<string, string | readonly string[] | undefined>>;

/** What is wrong with a delivery. */
export type WebhookProblem =
  /** The request has no signature header, or one that cannot be read. */
  | 'SIGNATURE_MISSING'
  /** The signature is right, but too old or too far ahead. */
  | 'TIMESTAMP_OUT_OF_TOLERANCE'
  /** No secret gives this signature: another secret, or another body. */
  | 'SIGNATURE_MISMATCH'
  /** The signature is right, but the body is not a delivery. */
  | 'BODY_INVALID';

/** A delivery that must not be trusted. */
export class WebhookError extends Error {
  override name = 'WebhookError';
  readonly code: WebhookProblem;

  constructor(code: WebhookProblem, message: string) {
    super(message);
    this.code = code;
  }
}

export interface VerifyOptions {
  /** How far the time of the signature may be from the clock. Default: 300 seconds. */
  toleranceSeconds?: number;
  /** The current time; only a test needs to set it. */
  now?: Date;
}

/** A signature that a request carries. */
interface Claim {
  scheme: 'service' | 'standard';
  /** What is signed before the body. */
  parts: string[];
  timestamp: number;
  signatures: Uint8Array<ArrayBuffer>[];
}

/**
 * Checks that a delivery was signed with one of the secrets, and recently, by either scheme that it carries:
 * `X-Service-Signature`, or the headers of Standard Webhooks.
 *
 * @param rawBody the body byte for byte. A body that was parsed and serialised again has different bytes.
 * @param secrets the signing secret of the endpoint, or several while you rotate it.
 * @returns the event.
 * @throws WebhookError whose `code` says what is wrong.
 * @throws TypeError if the body was parsed already, or there is no secret: a mistake in the program.
 */
export async function verifyWebhook(
  rawBody: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  { toleranceSeconds = DEFAULT_TOLERANCE_SECONDS, now = new Date() }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const body = bytesOf(rawBody);
  const claims = claimsIn(headers);
  if (claims.length === 0) {
    throw new WebhookError('SIGNATURE_MISSING', 'the request has no signature header that can be read');
  }
  const claim = await firstTrue(claims, body, secretList(secrets));
  if (claim === undefined) {
    throw new WebhookError(
      'SIGNATURE_MISMATCH',
      'the signature matches none of the secrets: the secret is another one, or the body was changed on its way',
    );
  }
  const distance = Math.abs(now.getTime() / 1_000 - claim.timestamp);
  if (distance > toleranceSeconds) {
    throw new WebhookError(
      'TIMESTAMP_OUT_OF_TOLERANCE',
      `the signature is ${Math.round(distance)} seconds away from this clock, and ${toleranceSeconds} are allowed`,
    );
  }
  return eventIn(body);
}

async function firstTrue(
  claims: readonly Claim[],
  body: Uint8Array,
  secrets: readonly string[],
): Promise<Claim | undefined> {
  for (const claim of claims) {
    const content = signedContent(claim.parts, body);
    for (const secret of secrets) {
      const key = await (claim.scheme === 'service' ? serviceKey(secret) : standardKey(secret));
      if (key !== null && (await matches(key, claim.signatures, content))) return claim;
    }
  }
  return undefined;
}

/** The signatures of a request, one for each scheme that it carries. */
function claimsIn(headers: WebhookHeaders): Claim[] {
  return [serviceClaim(headers), standardClaim(headers)].filter((claim) => claim !== null);
}

/** `X-Service-Signature: t=<unix seconds>,v1=<hex>`, with a second `v1` while a rotation of the secret overlaps. */
function serviceClaim(headers: WebhookHeaders): Claim | null {
  const values = new Map<string, string[]>();
  for (const part of header(headers, 'x-service-signature').split(',')) {
    const [name = '', value = ''] = part.trim().split('=', 2);
    values.set(name, [...(values.get(name) ?? []), value]);
  }
  const [t = ''] = values.get('t') ?? [];
  return claimOf('service', [t], t, (values.get('v1') ?? []).map(fromHex));
}

/** `webhook-signature: v1,<base64>`, with further values after blanks, over the id, the time and the body. */
function standardClaim(headers: WebhookHeaders): Claim | null {
  const id = header(headers, 'webhook-id');
  const timestamp = header(headers, 'webhook-timestamp');
  const signatures = header(headers, 'webhook-signature')
    .split(' ')
    .map((value) => value.split(','))
    .filter(([version]) => version === 'v1')
    .map(([, value = '']) => fromBase64(value));
  return id === '' ? null : claimOf('standard', [id, timestamp], timestamp, signatures);
}

function claimOf(
  scheme: Claim['scheme'],
  parts: string[],
  timestamp: string,
  decoded: readonly (Uint8Array<ArrayBuffer> | null)[],
): Claim | null {
  const signatures = decoded
    .filter((signature) => signature !== null)
    .filter(({ length }) => length === SIGNATURE_BYTES)
    .slice(0, MAX_SIGNATURES);
  if (!/^\d{1,12}$/.test(timestamp) || signatures.length === 0) return null;
  return { scheme, parts, timestamp: Number(timestamp), signatures };
}

function header(headers: WebhookHeaders, name: string): string {
  if (typeof headers.get === 'function') return headers.get(name) ?? '';
  // Node.js gives names in lower case; a saved delivery may not.
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return (typeof found === 'string' ? found : found?.[0]) ?? '';
}

function bytesOf(rawBody: unknown): Uint8Array {
  if (typeof rawBody === 'string') return new TextEncoder().encode(rawBody);
  if (rawBody instanceof Uint8Array) return rawBody;
  // An ArrayBuffer of another realm is no instance of this one's class.
  if (Object.prototype.toString.call(rawBody) === '[object ArrayBuffer]')
    return new Uint8Array(rawBody as ArrayBuffer);
  throw new TypeError('the raw body is needed, as text or bytes: the signature does not cover a parsed body');
}

function secretList(secrets: string | readonly string[]): readonly string[] {
  const list = (typeof secrets === 'string' ? [secrets] : secrets).filter((secret) => secret !== '');
  if (list.length === 0) throw new TypeError('a signing secret is needed');
  return list;
}

function eventIn(body: Uint8Array): WebhookEvent {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(body));
  } catch {
    value = null;
  }
  const { id, type } = (value ?? {}) as Partial<WebhookEvent>;
  if (typeof id !== 'string' || typeof type !== 'string') {
    throw new WebhookError('BODY_INVALID', 'the body is signed, but it is not the JSON of a delivery');
  }
  return value as WebhookEvent;
}
