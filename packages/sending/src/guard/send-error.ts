/** The host name resolves, but only to addresses that must not be called. */
export class PrivateAddressError extends Error {
  readonly code = 'EPRIVATE';
}

/** The host name has no address, or DNS failed. More detail about a DNS failure would reveal our own network. */
export class HostLookupError extends Error {
  readonly code: 'ENOTFOUND' | 'ESERVFAIL';

  /** @param code ENOTFOUND if DNS reports that the host does not exist, ESERVFAIL if DNS failed. */
  constructor(code: 'ENOTFOUND' | 'ESERVFAIL') {
    super(code);
    this.code = code;
  }
}

/** The receiver sent too many interim responses (1xx). */
export class InterimFloodError extends Error {
  readonly code = 'EINTERIM';
}

/** The receiver responded with 101, although the request did not ask for another protocol. */
export class ProtocolSwitchError extends Error {
  readonly code = 'EPROTOCOLSWITCH';
}

/** The operator's proxy could not be used. */
export class ProxyError extends Error {
  readonly code = 'EPROXY';
}

/** The operator's proxy did not reach the receiver. */
export class TunnelError extends Error {
  readonly code = 'ETUNNEL';
}

/** The reason why no response arrived. */
export interface SendFailure {
  /** A short reason for the delivery log, which admins of the workspace can read. */
  error: string;
  /** A longer reason, for the operator only. */
  detail?: string;
  /**
   * Set if `error` reveals whether a port is closed, filtered, or open but without TLS. Admins may read such an error only if the
   * host has responded over TLS before; otherwise they read `NO_RESPONSE`. This prevents the use of endpoints as a port scanner.
   */
  revealsPort?: true;
}

/** What admins see of a failed connection to a host and port that has never responded. */
export const NO_RESPONSE = 'no response over TLS';

const BY_CODE: Record<string, string> = {
  // A name that resolves to a private address gets the error of an unknown name, so that the names of our network cannot be
  // enumerated.
  EPRIVATE: 'host not found',
  ENOTFOUND: 'host not found',
  ESERVFAIL: 'host name could not be resolved',
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection closed before a response',
  EPIPE: 'connection closed before a response',
  ETIMEDOUT: 'connection timed out',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'network unreachable',
  EADDRNOTAVAIL: 'network unreachable',
  EPROTO: 'TLS handshake failed',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate not valid for the host',
  EPROXY: 'our outgoing proxy was not available',
  ETUNNEL: 'host unreachable',
  EINTERIM: 'too many interim responses',
  EPROTOCOLSWITCH: 'unexpected protocol switch',
  HPE_HEADER_OVERFLOW: 'response headers too large',
};

/** The errors of a machine that has no route to an address. */
const NO_ROUTE = new Set<string | undefined>(['ENETUNREACH', 'ENETDOWN', 'EADDRNOTAVAIL']);

/** Node's error codes for untrusted certificates. */
const CERTIFICATE_CODES = new Set([
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_REVOKED',
  'CERT_REJECTED',
  'CERT_UNTRUSTED',
  'CERT_SIGNATURE_FAILURE',
  'CERT_CHAIN_TOO_LONG',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'INVALID_CA',
  'INVALID_PURPOSE',
  'PATH_LENGTH_EXCEEDED',
]);

/** The codes of errors that follow a completed TLS handshake, or a lookup without an address to connect to. */
const REVEALS_NO_PORT = new Set([
  ...CERTIFICATE_CODES,
  'EPRIVATE',
  'EPROXY',
  'ENOTFOUND',
  'ESERVFAIL',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'EINTERIM',
  'EPROTOCOLSWITCH',
]);

/** Describes a failed request. The description reveals nothing about our own network: no address, no path, no stack trace. */
export function describeSendError(thrown: unknown): SendFailure {
  const { code, message } = firstWithCode(thrown);
  const error = toErrorText(code, message);
  if (code === 'EPRIVATE') return { error, detail: 'host resolves to a private address' };
  if (code === 'EPROXY') return { error, detail: message };
  const revealsPort = code === undefined || !(REVEALS_NO_PORT.has(code) || code.startsWith('HPE_'));
  return revealsPort ? { error, revealsPort } : { error };
}

/** Describes a request whose response did not arrive in time. Its connection may not even have been accepted. */
export function describeTimeout(timeoutMs: number): SendFailure {
  return { error: `timeout after ${timeoutMs} ms`, revealsPort: true };
}

function toErrorText(code: string | undefined, message: string): string {
  if (code === undefined) return 'request failed';
  if (CERTIFICATE_CODES.has(code)) return `certificate not trusted: ${message}`;
  const known = BY_CODE[code];
  if (known !== undefined) return known;
  if (code.startsWith('HPE_')) return 'response is not valid HTTP';
  if (code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_')) return `TLS handshake failed (${code})`;
  return `request failed (${code})`;
}

/** Reports whether the operator's proxy is at fault. */
export function isProxyFailure(error: unknown): boolean {
  return firstWithCode(error).code === 'EPROXY';
}

/**
 * Reports whether a host was not reached because of a failure on our side: DNS did not respond, or this machine has no route. A
 * receiver can cause the same errors, with failing name servers or with an IPv6 address only. So a failure is ours only if no
 * other receiver was found or reached recently. A timeout, and a name that does not exist, are failures of the receiver.
 *
 * @param worksNow reports whether DNS or our network has worked recently.
 */
export function isFailureOnOurSide(error: unknown, worksNow: (what: 'dns' | 'network') => boolean): boolean {
  const { code } = firstWithCode(error);
  return (code === 'ESERVFAIL' && !worksNow('dns')) || (NO_ROUTE.has(code) && !worksNow('network'));
}

/** Returns the error, or if a library has wrapped it, the cause that has a code. */
function firstWithCode(error: unknown): { code?: string; message: string } {
  for (let current = error; current instanceof Error; current = current.cause) {
    const { code } = current as NodeJS.ErrnoException;
    if (code !== undefined && !(current.cause instanceof Error)) return { code, message: current.message };
  }
  return { message: '' };
}
