/** The domain of the pseudonyms that stand for addresses which were erased. RFC 2606 keeps it free, so nobody has an address in it. */
export const ERASED_DOMAIN = '@erased.invalid';

/** An address as it is shown: null for the pseudonym of somebody who was erased. `shown_email` is the same in SQL. */
export function shownEmail(email: string | null): string | null {
  return email?.endsWith(ERASED_DOMAIN) === true ? null : email;
}
