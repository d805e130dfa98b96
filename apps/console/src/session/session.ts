/**
 * The admin's session token. It is in memory only: neither storage nor the address keep it, so it ends with the page.
 */
let token: string | null = null;
let hasEnded = false;
const listeners = new Set<() => void>();

/** What the page knows of the session. */
export type SessionState = 'none' | 'active' | 'ended';

/** The token of the session; null without one. */
export function currentToken(): string | null {
  return token;
}

/** Whether there is a session, or there was one that has ended. */
export function sessionState(): SessionState {
  if (token !== null) return 'active';
  return hasEnded ? 'ended' : 'none';
}

/** Starts a session, or continues an ended one at the same place. */
export function startSession(given: string): void {
  token = given;
  hasEnded = false;
  for (const listener of listeners) listener();
}

/** Forgets the token, because the API does not accept it any more. */
export function endSession(): void {
  if (token === null) return;
  token = null;
  hasEnded = true;
  for (const listener of listeners) listener();
}

/** Calls a function when the state changes. @returns what ends that. */
export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
