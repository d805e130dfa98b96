import type { components } from '../api/generated/integration.ts';

/** A webhook endpoint. */
export type Endpoint = components['schemas']['WebhookEndpoint'];

/** From how many failed attempts in a row on an endpoint counts as failing, as in the overview of the API. */
const FAILING_FROM = 3;

/** How an endpoint is doing. */
export type EndpointState = 'disabled' | 'unverified' | 'failing' | 'enabled';

/** How an endpoint is doing, the worst first. */
export function stateOf({ enabled, awaitingVerification, consecutiveFailures }: Endpoint): EndpointState {
  if (!enabled) return 'disabled';
  if (awaitingVerification) return 'unverified';
  return consecutiveFailures >= FAILING_FROM ? 'failing' : 'enabled';
}

/** How many more failures in a row disable an endpoint, as a sentence without its end. */
export function failuresLeftInWords(left: number): string {
  return left <= 1 ? 'one more failure disables it' : `${left} more failures in a row disable it`;
}

/** Host and port of an endpoint. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

/** What people call an endpoint: its URL without the protocol, because endpoints may share a host. */
export function nameOf(url: string): string {
  return hostOf(url) + pathOf(url);
}

/** What follows the host of an endpoint's URL; empty for the root. */
export function pathOf(url: string): string {
  if (!URL.canParse(url)) return '';
  const { pathname, search } = new URL(url);
  return pathname === '/' && search === '' ? '' : pathname + search;
}
