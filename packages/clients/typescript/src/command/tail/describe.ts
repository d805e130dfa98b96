import type { FeedRecords, FollowedFeed } from '../../feeds/feeds.ts';
import { escapeForTerminal } from '../escape-for-terminal.ts';

/** Describes a record in one line, for people. */
export function describeRecord<F extends FollowedFeed>(feed: F, record: FeedRecords[F]): string {
  return escapeForTerminal(DESCRIBE[feed](record));
}

type Describe = { [F in FollowedFeed]: (record: FeedRecords[F]) => string };

const DESCRIBE: Describe = {
  calls: ({ kind, status, title, prospectName, hasSummary, summary }) =>
    `call ${status}: ${title ?? prospectName ?? kind}${hasSummary ? `; ${summary?.headline ?? 'with a summary'}` : ''}`,
  'decision-rooms': ({ name, status, dealValueCents }) =>
    `room ${name}: ${status}${dealValueCents === null ? '' : `, ${(dealValueCents / 100).toFixed(2)}`}`,
  'engagement/events': ({ type, actor, demoTitle }) =>
    `${type} by ${personName(actor)}${demoTitle === null ? '' : `: ${demoTitle}`}`,
  'engagement/views': ({ kind, actor, demoTitle, watchSeconds, completionPercent }) =>
    `${kind} viewed by ${personName(actor)} for ${watchSeconds} s${demoTitle === null ? '' : `: ${demoTitle}`}` +
    (completionPercent === null ? '' : ` (${completionPercent} %)`),
  distributions: ({ recipient }) => `share link to ${personName(recipient)}`,
  people: (person) =>
    `person ${personName(person)}${person.role === null ? '' : `, ${person.role}`}` +
    (person.removedAt === null ? '' : ': no longer a stakeholder'),
  documents: ({ title, category }) => `document ${title} (${category})`,
  'esign-documents': ({ status, subject, envelopeId }) => `contract ${subject ?? envelopeId}: ${status}`,
  erasures: ({ kind, personIds }) => `erasure of a ${kind}: ${personIds.length} people`,
  'webhook-deliveries': ({ eventType, endpointId, status }) =>
    `delivery of ${eventType} to endpoint ${endpointId}: ${status}`,
};

function personName({ name, email }: { name: string | null; email: string | null }): string {
  return name ?? email ?? 'unknown person';
}
