// The session storage of the tab, so that a reload keeps the session. Nothing else in the console names this storage. A browser
// may forbid it, as some do in frames; then the session ends with the page.

const TOKEN_KEY = 'deal-signals:session';
const CHANGE_KEY = 'deal-signals:session-changed';

/** The token that the tab keeps; null without one. */
export function keptToken(): string | null {
  return inStorage((storage) => storage.getItem(TOKEN_KEY)) ?? null;
}

/** Keeps a token until it is forgotten, another one is kept, or the tab is closed. */
export function keepToken(token: string): void {
  inStorage((storage) => storage.setItem(TOKEN_KEY, token));
}

/** Forgets the kept token. */
export function forgetToken(): void {
  inStorage((storage) => storage.removeItem(TOKEN_KEY));
}

/** Remembers over the next load that it was made because another user's session has begun. */
export function noteChange(): void {
  inStorage((storage) => storage.setItem(CHANGE_KEY, 'true'));
}

/** Returns whether this page was loaded because another user's session has begun. Only the first call returns true. */
export function takeNoteOfChange(): boolean {
  const isNoted = inStorage((storage) => storage.getItem(CHANGE_KEY)) === 'true';
  inStorage((storage) => storage.removeItem(CHANGE_KEY));
  return isNoted;
}

function inStorage<T>(use: (storage: Storage) => T): T | undefined {
  try {
    return use(window.sessionStorage);
  } catch {
    return undefined;
  }
}
