const MAX_HOST_CHARACTERS = 253;
/** For parsed names, which are lower-case ASCII. Host names must not contain underscores, but some do. */
const LABEL = /^[a-z\d_-]{1,63}$/;

/**
 * Returns the form in which hosts are compared: lower case, IPv6 without brackets, names without their final dot.
 *
 * @param hostname a value of `URL.hostname`.
 * @returns null for a name that no resolver would accept.
 */
export function hostKey(hostname: string): string | null {
  if (hostname.startsWith('[')) return hostname.slice(1, -1);
  const name = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
  if (name.length > MAX_HOST_CHARACTERS) return null;
  return name.split('.').every((label) => LABEL.test(label)) ? name : null;
}
