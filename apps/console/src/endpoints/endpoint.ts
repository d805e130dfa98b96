import type { components } from '../api/generated/integration.ts';

/** A webhook endpoint. */
export type Endpoint = components['schemas']['WebhookEndpoint'];

/** The number of consecutive failed attempts from which an endpoint counts as failing, as in the API's overview. */
const FAILING_FROM = 3;

/** The state of an endpoint. */
export type EndpointState = 'disabled' | 'unverified' | 'failing' | 'enabled';

/** The states of an endpoint, worst first. */
export function stateOf({ enabled, awaitingVerification, consecutiveFailures }: Endpoint): EndpointState {
  if (!enabled) return 'disabled';
  if (awaitingVerification) return 'unverified';
  return consecutiveFailures >= FAILING_FROM ? 'failing' : 'enabled';
}

/** Returns how many more consecutive failures disable an endpoint, as a sentence without its end. */
export function failuresLeftInWords(left: number): string {
  return left <= 1 ? 'one more failure disables it' : `${left} more failures in a row disable it`;
}

/** Returns the host and port of an endpoint. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

/** Returns the display name of an endpoint: its URL without the protocol, because endpoints may share a host. */
export function nameOf(url: string): string {
  return hostOf(url) + pathOf(url);
}

/** Returns the part after the host of an endpoint's URL; empty for the root. */
export function pathOf(url: string): string {
  if (!URL.canParse(url)) return '';
  const { pathname, search } = new URL(url);
  return pathname === '/' && search === '' ? '' : pathname + search;
}
