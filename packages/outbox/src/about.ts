/** What an event is about. The lists of deliveries find its deliveries by these. */
export interface About {
  roomId: string | null;
  /** The call, or the recording that was shared: a recording is a call. */
  callId: string | null;
  /** The identity of the person who did it. */
  identity: string | null;
}

/** For events that are about nothing in a workspace's data. */
export const NOTHING: About = { roomId: null, callId: null, identity: null };
