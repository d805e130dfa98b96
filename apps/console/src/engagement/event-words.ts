import { inWords } from '../text/deals.ts';

/** What prospects do, by the names of the API. The enumeration is open: others are shown by their own names. */
const DONE: Record<string, string> = {
  room_visit: 'visited the room',
  trailer_view: 'watched the recording',
  trailer_complete: 'watched the recording to the end',
  doc_open: 'opened a document',
  doc_download: 'downloaded a document',
  comment: 'commented',
  message: 'wrote a message',
  forward: 'forwarded the link',
  map_checkoff: 'checked off an action item',
};

/** The types that the stream can be restricted to. */
export const EVENT_TYPES = Object.keys(DONE);

/** Describes an activity, to follow the name of the person. */
export function done(type: string): string {
  return DONE[type] ?? inWords(type).toLowerCase();
}

/** A type as an entry of a choice. */
export function typeName(type: string): string {
  return inWords(done(type));
}

/** What the event names of itself: the title of a document, the text of a message. */
export function detailOf(metadata: Record<string, unknown>): string | null {
  for (const name of ['text', 'title', 'preview']) {
    const value = metadata[name];
    if (typeof value === 'string' && value !== '') return value;
  }
  return null;
}
