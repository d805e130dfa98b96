/** The objects that an event is about. Lists of deliveries filter by them. */
export interface About {
  roomId: string | null;
  /** The call, or the shared recording: a recording is a call. */
  callId: string | null;
  /** The identity of the person who acted. */
  identity: string | null;
}

/** For events that are about no object of a workspace. */
export const NOTHING: About = { roomId: null, callId: null, identity: null };
