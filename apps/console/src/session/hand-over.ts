import { startSession } from './session.ts';

/** The form of a JSON Web Token. */
const TOKEN = /^[\w-]+\.[\w-]+\.[\w-]+$/;
/** What the page asks of the page around it, and what that responds with. */
const WANTED = 'deal-signals:session-wanted';
const GIVEN = 'deal-signals:session';

/**
 * Takes the session token from the fragment of the address (`#session=…`), and removes it there before anything else runs:
 * neither the history nor a copied link may hold it.
 */
export function takeSessionFromAddress(): void {
  const token = new URLSearchParams(window.location.hash.slice(1)).get('session');
  if (token === null) return;
  window.history.replaceState(window.history.state, '', window.location.pathname + window.location.search);
  if (TOKEN.test(token)) startSession(token);
}

/**
 * Takes session tokens from the page around a frame: `postMessage({ type: 'deal-signals:session', token }, origin)`. Only the
 * origins that the operator allows to frame the console are heard. They can send a new one at any time.
 */
export function takeSessionFromFrame(): void {
  const allowed = allowedOrigins();
  if (window.parent === window || allowed.length === 0) return;
  window.addEventListener('message', ({ origin, source, data }: MessageEvent<unknown>) => {
    if (source !== window.parent || !allowed.includes(origin)) return;
    if (typeof data !== 'object' || data === null || !('type' in data) || data.type !== GIVEN) return;
    if ('token' in data && typeof data.token === 'string' && TOKEN.test(data.token)) startSession(data.token);
  });
  askFrameForSession();
}

/** Tells the page around the frame that a session is needed. */
export function askFrameForSession(): void {
  if (window.parent === window) return;
  for (const origin of allowedOrigins()) window.parent.postMessage({ type: WANTED }, origin);
}

/** Whether a text has the form of a session token. */
export function looksLikeToken(text: string): boolean {
  return TOKEN.test(text);
}

function allowedOrigins(): string[] {
  const content = document.querySelector<HTMLMetaElement>('meta[name="frame-ancestors"]')?.content ?? '';
  return content.split(' ').filter((origin) => origin.startsWith('http'));
}
