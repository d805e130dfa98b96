const SCHEME = 'https://';
const MAX_CHARACTERS = 2_048;

/**
 * Returns what is wrong with the format of a URL while it is typed; null if it is valid, or may still become valid. The API
 * decides which hosts and ports are allowed.
 */
export function urlProblem(text: string): string | null {
  if (text === '' || SCHEME.startsWith(text.toLowerCase())) return null;
  if (!text.toLowerCase().startsWith(SCHEME)) return 'Must begin with https://';
  if (/[\s\\]/.test(text)) return 'Must not contain spaces or backslashes';
  if (text.length > MAX_CHARACTERS) return `Must not be longer than ${MAX_CHARACTERS} characters`;
  if (!URL.canParse(text)) return 'Must be a complete URL, such as https://hooks.example.com/deals';
  const { username, password } = new URL(text);
  return username === '' && password === '' ? null : 'Must not contain a user name or a password';
}

/** Whether a URL is complete enough to send a request. */
export function isWholeUrl(text: string): boolean {
  return text.length > SCHEME.length && urlProblem(text) === null;
}
