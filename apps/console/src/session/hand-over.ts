import { offerSession, resumeSession } from './offer.ts';
import { noteBrokenLink, onSessionChange, sessionState } from './session.ts';

/** The form of a JSON Web Token. */
const TOKEN = /^[\w-]+\.[\w-]+\.[\w-]+$/;
/** What the page asks of the page around it, and what that responds with. */
const WANTED = 'deal-signals:session-wanted';
const GIVEN = 'deal-signals:session';
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Finds the session of a page that loads: in the fragment of the address (`#session=…`), in the tab, or from the page around the
 * frame. A fragment that comes later is taken as well.
 *
 * Must run before the router exists, because the router would remember an address with a token.
 */
export function takeSessions(): void {
  const given = takeTokenFromAddress();
  if (given === 'broken') void resumeSession().then(noteBrokenLink);
  else if (given !== null && (isLocalStack() || isOpenedByTrusted())) void offerLinked(given.token, true);
  else void resumeSession().then(() => (given === null ? null : offerLinked(given.token, false)));
  // The referrer only says where the page was opened from, and nothing about a fragment that comes later.
  window.addEventListener('hashchange', () => {
    const later = takeTokenFromAddress();
    if (later === 'broken') noteBrokenLink();
    else if (later !== null) void offerLinked(later.token, isLocalStack());
  });
  takeSessionsFromFrame();
}

/** Whether a text has the form of a session token. */
export function looksLikeToken(text: string): boolean {
  return TOKEN.test(text);
}

/**
 * Takes the token from the fragment of the address, and removes it there before anything else runs: neither the history nor a
 * copied link may hold it.
 *
 * @returns null without one, and `broken` if what is in its place has not the form of a token.
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

/** Whether this is the console of a process for development, on the machine of the browser. */
function isLocalStack(): boolean {
  return contentOf('session-links') === 'start' && LOOPBACK.includes(window.location.hostname);
}

/** Whether a page that the operator trusts has linked here. */
function isOpenedByTrusted(): boolean {
  return URL.canParse(document.referrer) && trustedOrigins().includes(new URL(document.referrer).origin);
}

/**
 * Takes session tokens from the page around a frame: `postMessage({ type: 'deal-signals:session', token }, origin)`. Only the
 * origins that the operator trusts are heard. They can send a new one at any time, and are asked when the page begins and when its
 * session has ended.
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
  return contentOf('trusted-origins')
    .split(' ')
    .filter((origin) => origin.startsWith('http'));
}

function contentOf(name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? '';
}
