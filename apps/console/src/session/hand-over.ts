import { offerSession, resumeSession } from './offer.ts';
import { reportBrokenLink, onSessionChange, sessionState } from './session.ts';

/** The format of a JSON Web Token. */
const TOKEN = /^[\w-]+\.[\w-]+\.[\w-]+$/;
/** The messages between this page and the page that embeds it: a request for a session, and the response. */
const WANTED = 'deal-signals:session-wanted';
const GIVEN = 'deal-signals:session';
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Finds the session when a page loads: in the fragment of the address (`#session=…`), in the tab's storage, or from the page
 * that embeds the frame. Also accepts a fragment that is set later.
 *
 * Must run before the router exists, because the router would remember an address with a token.
 */
export function takeSessions(): void {
  const given = takeTokenFromAddress();
  if (given === 'broken') void resumeSession().then(reportBrokenLink);
  else if (given !== null && (isLocalStack() || isOpenedByTrusted())) void offerLinked(given.token, true);
  else void resumeSession().then(() => (given === null ? null : offerLinked(given.token, false)));
  // The referrer is only valid for the initial address, not for a fragment that is set later.
  window.addEventListener('hashchange', () => {
    const later = takeTokenFromAddress();
    if (later === 'broken') reportBrokenLink();
    else if (later !== null) void offerLinked(later.token, isLocalStack());
  });
  takeSessionsFromFrame();
}

/** Whether a text has the format of a session token. */
export function looksLikeToken(text: string): boolean {
  return TOKEN.test(text);
}

/**
 * Takes the token from the fragment of the address. Removes the fragment before anything else runs, so that neither the history
 * nor a copied link contains the token.
 *
 * @returns null if there is none, and `broken` if the fragment does not have the format of a token.
 */
function takeTokenFromAddress(): { token: string } | 'broken' | null {
  const token = new URLSearchParams(window.location.hash.slice(1)).get('session');
  if (token === null) return null;
  window.history.replaceState(window.history.state, '', window.location.pathname + window.location.search);
  return TOKEN.test(token) ? { token } : 'broken';
}

function offerLinked(token: string, isConfirmed: boolean): Promise<void> {
  return offerSession(token, { isConfirmed, isKept: true, hasAddress: true });
}

/** Whether this is the console of a development process on the browser's machine. */
function isLocalStack(): boolean {
  return metaContent('session-links') === 'start' && LOOPBACK.includes(window.location.hostname);
}

/** Whether a page that the operator trusts links here. */
function isOpenedByTrusted(): boolean {
  return URL.canParse(document.referrer) && trustedOrigins().includes(new URL(document.referrer).origin);
}

/**
 * Receives session tokens from the page that embeds the frame: `postMessage({ type: 'deal-signals:session', token }, origin)`.
 * Only messages from trusted origins are accepted. Those pages can send a new token at any time. They are asked for one when
 * the page loads, and when its session has ended.
 */
function takeSessionsFromFrame(): void {
  const trusted = trustedOrigins();
  if (window.parent === window || trusted.length === 0) return;
  window.addEventListener('message', ({ origin, source, data }: MessageEvent<unknown>) => {
    if (source !== window.parent || !trusted.includes(origin)) return;
    if (typeof data !== 'object' || data === null || !('type' in data) || data.type !== GIVEN) return;
    if (!('token' in data) || typeof data.token !== 'string' || !TOKEN.test(data.token)) return;
    void offerSession(data.token, { isConfirmed: true, isKept: false, hasAddress: false });
  });
  const ask = () => {
    for (const origin of trusted) window.parent.postMessage({ type: WANTED }, origin);
  };
  let { kind: before } = sessionState();
  onSessionChange(() => {
    const { kind } = sessionState();
    if (kind === 'ended' && before !== 'ended') ask();
    before = kind;
  });
  ask();
}

function trustedOrigins(): string[] {
  return metaContent('trusted-origins')
    .split(' ')
    .filter((origin) => origin.startsWith('http'));
}

function metaContent(name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? '';
}
