/**
 * Returns the identity of a person with an address: the same in all rooms, regardless of case. Capture stores addresses with
 * characters beyond ASCII in lower case.
 */
export function emailIdentity(email: string): string {
  return `email:${email.toLowerCase()}`;
}

/** Returns the identity of the recipient of a share link. Without an address, the identity is that of the link. */
export function recipientIdentity(linkId: string, email: string | null): string {
  return email === null ? `link:${linkId}` : emailIdentity(email);
}

/**
 * Returns the identity of a person who is listed in a room. People without an address are identified within the room by their
 * name.
 */
export function memberIdentity({ email, name }: { email?: string | null; name?: string | null }): string {
  return email == null ? `name:${name}` : emailIdentity(email);
}
