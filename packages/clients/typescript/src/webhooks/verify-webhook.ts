import type { WebhookEvent } from './events.ts';
import { fromBase64, fromHex, matches, serviceKey, signedContent, standardKey } from './signatures.ts';

/** Older signatures are rejected by default, so that a recorded delivery cannot be replayed. */
const DEFAULT_TOLERANCE_SECONDS = 300;
const SIGNATURE_BYTES = 32;
/** A rotation overlaps two secrets. A request with more signatures is not a delivery of ours, and each check costs time. */
const MAX_SIGNATURES = 8;

/** The headers of a request: a `Headers` object, or the headers object of Node.js. */
export type WebhookHeaders =
  { get(name: string): string | null } | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Why a delivery cannot be trusted. */
export type WebhookProblem =
  /** The request has no signature header, or the header is malformed. */
  | 'SIGNATURE_MISSING'
  /** The signature is valid, but its time is too far from the clock. */
  | 'TIMESTAMP_OUT_OF_TOLERANCE'
  /** No secret produces this signature: the secret or the body differs. */
  | 'SIGNATURE_MISMATCH'
  /** The signature is valid, but the body is not a delivery. */
  | 'BODY_INVALID';

/** A delivery that cannot be trusted. */
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
  /** The current time; only tests set it. */
  now?: Date;
}

/** A signature that a request carries. */
interface Claim {
  scheme: 'service' | 'standard';
  /** The signed text before the body. */
  parts: string[];
  timestamp: number;
  signatures: Uint8Array<ArrayBuffer>[];
}

/**
 * Checks that a delivery was signed recently with one of the secrets. It accepts both schemes that a request may carry:
 * `X-Service-Signature`, and the headers of Standard Webhooks.
 *
 * @param rawBody the body, byte for byte. A body that was parsed and serialised again has different bytes.
 * @param secrets the signing secret of the endpoint, or several while you rotate it.
 * @returns the event.
 * @throws WebhookError whose `code` gives the reason.
 * @throws TypeError if the body was already parsed, or there is no secret, which are programming errors.
 */
export async function verifyWebhook(
  rawBody: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  { toleranceSeconds = DEFAULT_TOLERANCE_SECONDS, now = new Date() }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const body = toBytes(rawBody);
  const claims = parseClaims(headers);
  if (claims.length === 0) {
    throw new WebhookError('SIGNATURE_MISSING', 'the request has no valid signature header');
  }
  const claim = await firstTrue(claims, body, secretList(secrets));
  if (claim === undefined) {
    throw new WebhookError(
      'SIGNATURE_MISMATCH',
      'the signature matches none of the secrets: the secret is wrong, or the body was changed in transit',
    );
  }
  const distance = Math.abs(now.getTime() / 1_000 - claim.timestamp);
  if (distance > toleranceSeconds) {
    throw new WebhookError(
      'TIMESTAMP_OUT_OF_TOLERANCE',
      `the signature is ${Math.round(distance)} seconds away from this clock, and ${toleranceSeconds} are allowed`,
    );
  }
  return parseEvent(body);
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

/** Returns the signatures of a request, one for each scheme that it carries. */
function parseClaims(headers: WebhookHeaders): Claim[] {
  return [serviceClaim(headers), standardClaim(headers)].filter((claim) => claim !== null);
}

/** Parses `X-Service-Signature: t=<unix seconds>,v1=<hex>`, with a second `v1` while a secret rotation overlaps. */
function serviceClaim(headers: WebhookHeaders): Claim | null {
  const values = new Map<string, string[]>();
  for (const part of header(headers, 'x-service-signature').split(',')) {
    const [name = '', value = ''] = part.trim().split('=', 2);
    values.set(name, [...(values.get(name) ?? []), value]);
  }
  const [t = ''] = values.get('t') ?? [];
  return createClaim('service', [t], t, (values.get('v1') ?? []).map(fromHex));
}

/**
 * Parses `webhook-signature: v1,<base64>`, which may have further values after spaces. It signs the id, the time and the body.
 */
function standardClaim(headers: WebhookHeaders): Claim | null {
  const id = header(headers, 'webhook-id');
  const timestamp = header(headers, 'webhook-timestamp');
  const signatures = header(headers, 'webhook-signature')
    .split(' ')
    .map((value) => value.split(','))
    .filter(([version]) => version === 'v1')
    .map(([, value = '']) => fromBase64(value));
  return id === '' ? null : createClaim('standard', [id, timestamp], timestamp, signatures);
}

function createClaim(
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
  // Node.js passes names in lower case; a saved delivery may not.
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return (typeof found === 'string' ? found : found?.[0]) ?? '';
}

function toBytes(rawBody: unknown): Uint8Array {
  if (typeof rawBody === 'string') return new TextEncoder().encode(rawBody);
  if (rawBody instanceof Uint8Array) return rawBody;
  // An ArrayBuffer of another realm is not an instance of this realm's class.
  if (Object.prototype.toString.call(rawBody) === '[object ArrayBuffer]')
    return new Uint8Array(rawBody as ArrayBuffer);
  throw new TypeError('the raw body must be text or bytes: the signature does not cover a parsed body');
}

function secretList(secrets: string | readonly string[]): readonly string[] {
  const list = (typeof secrets === 'string' ? [secrets] : secrets).filter((secret) => secret !== '');
  if (list.length === 0) throw new TypeError('a signing secret is required');
  return list;
}

function parseEvent(body: Uint8Array): WebhookEvent {
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
