import { inWords } from '../text/deals.ts';

/** The actions of prospects by their API names. The enumeration is open: unknown actions are shown by their API names. */
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

/** The types that the stream can be filtered by. */
export const EVENT_TYPES = Object.keys(DONE);

/** Describes an action, as the text after the name of the person. */
export function describeAction(type: string): string {
  return DONE[type] ?? inWords(type).toLowerCase();
}

/** Returns the label of a type in a select. */
export function typeName(type: string): string {
  return inWords(describeAction(type));
}

/** Returns a detail of the event: the title of a document, or the text of a message. */
export function eventDetail(metadata: Record<string, unknown>): string | null {
  for (const name of ['text', 'title', 'preview']) {
    const value = metadata[name];
    if (typeof value === 'string' && value !== '') return value;
  }
  return null;
}
