import { z } from 'zod';
import { callKind } from '../calls/call.ts';
import { dateTime } from '../date-time.ts';
import { esignDocument, esignStatus } from '../rooms/esign-document.ts';
import { room } from '../rooms/room.ts';

const count = z.int().nonnegative();
const percent = z.int().min(0).max(100);

/** One person on the buyer's side, and what they did in the room. */
export const stakeholder = z
  .object({
    personId: z.guid().meta({ description: 'Id of this person in this room, as in `GET /people`' }),
    email: z
      .string()
      .nullable()
      .meta({ description: 'In lower case; identifies the person within the room' }),
    name: z.string().nullable(),
    role: z.string().nullable(),
    title: z.string().nullable(),
    inCommittee: z.boolean().meta({ description: "Listed in the room's People section" }),
    status: z.enum(['engaged', 'dormant', 'silent']).meta({
      description:
        '`engaged`: active in the last 30 days; `dormant`: last active before that; `silent`: never active',
    }),
    trailerViews: count,
    trailerCompletes: count,
    watchSeconds: count,
    bestCompletionPercent: percent,
    roomVisits: count,
    docOpens: count.meta({ description: 'Number of times a document was opened' }),
    docsOpened: count.meta({ description: 'Number of distinct documents opened' }),
    mapCheckoffs: count,
    comments: count,
    messages: count,
    forwards: count,
    lastActivityAt: dateTime.nullable(),
  })
  .meta({ id: 'Stakeholder' });

const trailer = z
  .object({
    id: z.guid(),
    title: z.string().nullable(),
    kind: callKind,
    durationSeconds: z.int().nullable(),
    recipients: count.meta({ description: 'Number of distinct people the recording was shared with' }),
    views: count,
    watchSeconds: count,
    bestCompletionPercent: percent,
  })
  .meta({ id: 'RoomTrailer' });

const assetViewer = z
  .object({
    distributionId: z.guid(),
    email: z.string().nullable(),
    name: z.string().nullable(),
    seconds: count,
    sessions: count,
    lastViewedAt: dateTime.nullable(),
  })
  .meta({ id: 'RoomAssetViewer' });

const asset = z
  .object({
    id: z.guid(),
    title: z.string(),
    category: z.string(),
    uploadedByProspect: z.boolean(),
    libraryAssetId: z.string().nullable(),
    opens: count,
    uniqueViewers: count,
    totalSeconds: count.meta({ description: 'Total reading time of all viewers' }),
    lastViewedAt: dateTime.nullable(),
    viewers: z.array(assetViewer).meta({
      description:
        'One item for each share link and person, because a link may later be addressed to another person',
    }),
  })
  .meta({ id: 'RoomAsset' });

/** The totals of a room. */
export const roomTotals = z.object({
  events: count,
  engagedPeople: count,
  silentPeople: count,
  trailerViews: count,
  watchSeconds: count.meta({ description: 'Total seconds played, including rewatches' }),
  bestCompletionPercent: percent,
  docsOpened: count,
  lastActivityAt: dateTime.nullable(),
});

/** The aggregated activity in a room. */
export const roomMetrics = z
  .object({
    room,
    engagementScore: percent,
    totals: roomTotals,
    stakeholders: z.array(stakeholder),
    trailers: z.array(trailer),
    assets: z.array(asset),
    actionPlan: z.object({
      total: count,
      done: count,
      doneByProspect: count,
      overdue: count,
      lastCompletedAt: dateTime.nullable(),
    }),
    conversation: z.object({
      prospectMessages: count,
      sellerMessages: count,
      lastMessageAt: dateTime.nullable(),
    }),
    esign: z.object({ status: esignStatus.nullable(), documents: z.array(esignDocument) }),
  })
  .meta({ id: 'RoomMetrics' });

/** The metrics of a room in the API. */
export type RoomMetrics = z.infer<typeof roomMetrics>;
