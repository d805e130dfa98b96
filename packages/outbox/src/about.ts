/** What an event is about. The lists of deliveries find its deliveries by these. */
export interface About {
  roomId: string | null;
  /** The call, or the recording that was shared: a recording is a call. */
  callId: string | null;
  /** The email address of the person who did it. */
  email: string | null;
}

/** For events that are about nothing in a workspace's data. */
export const NOTHING: About = { roomId: null, callId: null, email: null };

/** The person of an event, as the database stores it: the address in lower case, as people are merged by it. */
export function personOf({ email }: About): string | null {
  return email === null ? null : email.toLowerCase();
}
