// Wraps the session storage of the tab, so that a reload keeps the session. No other module of the console uses this storage. A
// browser may forbid it, as some do in frames; then the session ends with the page.

const TOKEN_KEY = 'deal-signals:session';
const CHANGE_KEY = 'deal-signals:session-changed';

/** Returns the token that the tab keeps; null if there is none. */
export function keptToken(): string | null {
  return inStorage((storage) => storage.getItem(TOKEN_KEY)) ?? null;
}

/** Keeps a token until it is removed, replaced, or the tab is closed. */
export function keepToken(token: string): void {
  inStorage((storage) => storage.setItem(TOKEN_KEY, token));
}

/** Removes the kept token. */
export function forgetToken(): void {
  inStorage((storage) => storage.removeItem(TOKEN_KEY));
}

/** Records for the next load that it happens because another user's session has begun. */
export function noteChange(): void {
  inStorage((storage) => storage.setItem(CHANGE_KEY, 'true'));
}

/** Returns whether this page was loaded because another user's session has begun. Only the first call returns true. */
export function consumeChange(): boolean {
  const isRecorded = inStorage((storage) => storage.getItem(CHANGE_KEY)) === 'true';
  inStorage((storage) => storage.removeItem(CHANGE_KEY));
  return isRecorded;
}

function inStorage<T>(use: (storage: Storage) => T): T | undefined {
  try {
    return use(window.sessionStorage);
  } catch {
    return undefined;
  }
}
