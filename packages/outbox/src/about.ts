import { EVENT_TYPES, type EventType } from './event-types.ts';

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

/** What `data` of engagement events and views has in common. */
interface Engagement {
  buyerSpaceId: string | null;
  demoId: string | null;
  actor: { email: string | null };
}

const ofEngagement = ({ buyerSpaceId, demoId, actor }: Engagement): About => ({
  roomId: buyerSpaceId,
  callId: demoId,
  email: actor.email,
});
const ofCall = ({ id, buyerSpaceId }: { id: string; buyerSpaceId: string | null }): About => ({
  roomId: buyerSpaceId,
  callId: id,
  email: null,
});
const ofRoom = ({ id }: { id: string }): About => ({ roomId: id, callId: null, email: null });

/** Reads what an event is about from its `data`; null if events of the type are about nothing. */
type Reader = ((data: never) => About) | null;

const READERS: Record<EventType, Reader> = {
  'engagement.recorded': ofEngagement,
  'call.summary.created': ofCall,
  'decision_room.updated': ofRoom,
  'decision_room.esign.updated': ({ buyerSpaceId }: { buyerSpaceId: string }) => ({
    ...NOTHING,
    roomId: buyerSpaceId,
  }),
  'decision_room.created': ofRoom,
  'call.recorded': ofCall,
  'engagement.view.recorded': ofEngagement,
  'webhook.endpoint.disabled': null,
  'integration.ping': null,
};

/** The types of events that are about something. */
export const TYPES_WITH_SUBJECTS = EVENT_TYPES.filter((type) => READERS[type] !== null);

/**
 * Reads what an event is about from its body, as `recordEvents` is told when it is recorded.
 *
 * @param type one of `TYPES_WITH_SUBJECTS`.
 */
export function aboutBody(type: EventType, body: string): About {
  const read = READERS[type];
  return read === null ? NOTHING : read((JSON.parse(body) as { data: never }).data);
}
