/**
 * The identity of a person with an address: the same in all rooms, in upper and lower case. Capture keeps addresses with characters
 * beyond ASCII in lower case.
 */
export function emailIdentity(email: string): string {
  return `email:${email.toLowerCase()}`;
}

/** The identity of the recipient of a share link. Without an address, it is a person of the link. */
export function recipientIdentity(linkId: string, email: string | null): string {
  return email === null ? `link:${linkId}` : emailIdentity(email);
}

/** The identity of a person who is listed in a room: within the room, the name identifies those without an address. */
export function memberIdentity({ email, name }: { email?: string | null; name?: string | null }): string {
  return email == null ? `name:${name}` : emailIdentity(email);
}
