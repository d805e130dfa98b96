/** A name that resolves, but to no address that may be called. */
export class PrivateAddressError extends Error {
  readonly code = 'EPRIVATE';
}

/** A name without an address, or a DNS that fails. The reasons of DNS are not told apart further: they say much of our side. */
export class HostLookupError extends Error {
  readonly code: 'ENOTFOUND' | 'ESERVFAIL';

  /** @param code ENOTFOUND when DNS says that there is no such host, ESERVFAIL when it says nothing of use. */
  constructor(code: 'ENOTFOUND' | 'ESERVFAIL') {
    super(code);
    this.code = code;
  }
}

/** Interim responses (1xx) without an end. */
export class InterimFloodError extends Error {
  readonly code = 'EINTERIM';
}

/** An answer with 101, to a request that has not asked for another protocol. */
export class ProtocolSwitchError extends Error {
  readonly code = 'EPROTOCOLSWITCH';
}

const BY_CODE: Record<string, string> = {
  EPRIVATE: 'host resolves to a private address',
  ENOTFOUND: 'host not found',
  ESERVFAIL: 'host name could not be resolved',
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection closed before an answer',
  EPIPE: 'connection closed before an answer',
  ETIMEDOUT: 'connection timed out',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'network unreachable',
  EADDRNOTAVAIL: 'network unreachable',
  EPROTO: 'TLS handshake failed',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate not valid for the host',
  EINTERIM: 'too many interim responses',
  EPROTOCOLSWITCH: 'answered with a change of protocol',
  HPE_HEADER_OVERFLOW: 'response headers too large',
};

/** What Node calls a certificate that it does not accept. */
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

/**
 * Says in a few words why an exchange failed, for the delivery log that the receiver's people read. Nothing of our own
 * network shows in it: no address, no path, no stack.
 */
export function describeSendError(error: unknown): string {
  const { code, message } = firstWithCode(error);
  if (code === undefined) return 'request failed';
  if (CERTIFICATE_CODES.has(code)) return `certificate not trusted: ${message}`;
  const known = BY_CODE[code];
  if (known !== undefined) return known;
  if (code.startsWith('HPE_')) return 'response is not valid HTTP';
  if (code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_')) return `TLS handshake failed (${code})`;
  return `request failed (${code})`;
}

/** The error itself or, where a library has wrapped it, the cause that carries a code. */
function firstWithCode(error: unknown): { code?: string; message: string } {
  for (let current = error; current instanceof Error; current = current.cause) {
    const { code } = current as NodeJS.ErrnoException;
    if (code !== undefined && !(current.cause instanceof Error)) return { code, message: current.message };
  }
  return { message: '' };
}
