import type { Deal } from '../deal/deals.ts';
import type { ShareLink } from '../deal/share-links.ts';
import type { InputOf } from '../draw/timeline.ts';
import type { Segment } from './viewing.ts';

/** The event types that `eventInput` makes. `forward` and `message` events are made elsewhere. */
export type EventType =
  | 'trailer_view'
  | 'trailer_complete'
  | 'doc_open'
  | 'doc_download'
  | 'room_visit'
  | 'map_checkoff'
  | 'comment';

/** The record of a buyer's action. The key must be unique among the link's events of this type. */
export function eventInput(
  deal: Deal,
  link: ShareLink,
  type: EventType,
  at: Date,
  key: string,
  rest: Pick<InputOf<'event'>, 'docId' | 'metadata'> = {},
): InputOf<'event'> {
  return {
    record: 'event',
    companyId: deal.workspace.id,
    key: `${link.id}/${key}/${type}`,
    type,
    occurredAt: at.toISOString(),
    distributionId: link.id,
    ...rest,
  };
}

/** The record of a session in which a link's recording was played. */
export function recordingViewInput(
  deal: Deal,
  link: ShareLink,
  key: string,
  startedAt: Date,
  endedAt: Date,
  segments: Segment[],
): InputOf<'view'> {
  return { ...viewInput(deal, link, key, startedAt, endedAt), segments };
}

/** The record of a session that was spent reading one document. */
export function documentViewInput(
  deal: Deal,
  link: ShareLink,
  key: string,
  startedAt: Date,
  endedAt: Date,
  docId: string,
): InputOf<'view'> {
  const seconds = Math.round((endedAt.getTime() - startedAt.getTime()) / 1000);
  return { ...viewInput(deal, link, key, startedAt, endedAt), docId, seconds };
}

function viewInput(
  deal: Deal,
  link: ShareLink,
  key: string,
  startedAt: Date,
  endedAt: Date,
): InputOf<'view'> {
  return {
    record: 'view',
    companyId: deal.workspace.id,
    key: `${link.id}/${key}`,
    distributionId: link.id,
    startedAt: startedAt.toISOString(),
    endedAt: endedAt.toISOString(),
  };
}
