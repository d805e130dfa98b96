const SCHEME = 'https://';
const MAX_CHARACTERS = 2_048;

/**
 * What is wrong with the form of a URL while it is typed; null for nothing, and for what may still become right. Which hosts
 * and ports are allowed is for the API to say.
 */
export function urlProblem(text: string): string | null {
  if (text === '' || SCHEME.startsWith(text.toLowerCase())) return null;
  if (!text.toLowerCase().startsWith(SCHEME)) return 'Must begin with https://';
  if (/[\s\\]/.test(text)) return 'Must not contain spaces or backslashes';
  if (text.length > MAX_CHARACTERS) return `Must not be longer than ${MAX_CHARACTERS} characters`;
  if (!URL.canParse(text)) return 'Must be a whole URL, such as https://hooks.example.com/deals';
  const { username, password } = new URL(text);
  return username === '' && password === '' ? null : 'Must not contain a user name or a password';
}

/** Whether a URL has a form with which a request makes sense. */
export function isWholeUrl(text: string): boolean {
  return text.length > SCHEME.length && urlProblem(text) === null;
}
