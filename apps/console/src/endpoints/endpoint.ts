import type { components } from '../api/generated/integration.ts';

/** A webhook endpoint. */
export type Endpoint = components['schemas']['WebhookEndpoint'];

/** The number of consecutive failures from which an endpoint counts as failing. The API's overview uses the same number. */
const FAILING_FROM = 3;

/** The state of an endpoint. */
export type EndpointState = 'disabled' | 'unverified' | 'failing' | 'enabled';

/** Returns the state of an endpoint; if several apply, the worst. */
export function getEndpointState({
  enabled,
  awaitingVerification,
  consecutiveFailures,
}: Endpoint): EndpointState {
  if (!enabled) return 'disabled';
  if (awaitingVerification) return 'unverified';
  return consecutiveFailures >= FAILING_FROM ? 'failing' : 'enabled';
}

/** Describes how many more consecutive failures disable an endpoint, as a sentence without a full stop. */
export function failuresLeftInWords(left: number): string {
  return left <= 1 ? 'one more failure disables it' : `${left} more failures in a row disable it`;
}

/** Returns the host and port of an endpoint. */
export function endpointHost(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

/** Returns the display name of an endpoint: its URL without the protocol, because endpoints may share a host. */
export function endpointLabel(url: string): string {
  return endpointHost(url) + endpointPath(url);
}

/** Returns the path and query of an endpoint's URL; empty for the root. */
export function endpointPath(url: string): string {
  if (!URL.canParse(url)) return '';
  const { pathname, search } = new URL(url);
  return pathname === '/' && search === '' ? '' : pathname + search;
}
