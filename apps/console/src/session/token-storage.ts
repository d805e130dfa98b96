// Uses the session storage of the tab, so that a reload keeps the session. No other module uses it. Some browsers forbid it in
// frames; then the session ends with the page.

const TOKEN_KEY = 'deal-signals:session';
const CHANGE_KEY = 'deal-signals:session-changed';

/** Returns the stored token; null if there is none. */
export function storedToken(): string | null {
  return inStorage((storage) => storage.getItem(TOKEN_KEY)) ?? null;
}

/** Stores a token until it is removed or replaced, or the tab is closed. */
export function storeToken(token: string): void {
  inStorage((storage) => storage.setItem(TOKEN_KEY, token));
}

/** Removes the stored token. */
export function removeToken(): void {
  inStorage((storage) => storage.removeItem(TOKEN_KEY));
}

/** Records for the next page load that it is caused by the session of another user. */
export function recordSessionChange(): void {
  inStorage((storage) => storage.setItem(CHANGE_KEY, 'true'));
}

/** Whether this page was loaded because of another user's session. Only the first call can return true. */
export function takeSessionChange(): boolean {
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
