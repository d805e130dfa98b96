import { HOUR_MS, later, momentBetween } from '../draw/moments.ts';
import type { InputOf, Timeline } from '../draw/timeline.ts';
import type { Deal } from './deals.ts';
import type { Milestones } from './milestones.ts';

/** A document in a deal's room. */
export interface RoomDocument {
  id: string;
  title: string;
  category: string;
  pages: number;
  sharedAt: Date;
}

/** The record of a document: from the seller's library if there is an asset id, otherwise an upload by the prospect. */
export function documentInput(deal: Deal, document: RoomDocument, assetId?: string): InputOf<'document'> {
  return {
    record: 'document',
    companyId: deal.workspace.id,
    id: document.id,
    roomId: deal.roomId,
    title: document.title,
    category: document.category,
    uploadedByProspect: assetId === undefined,
    ...(assetId !== undefined && { libraryAssetId: assetId }),
  };
}

/** Adds the documents of a room: the seller's when their milestones are reached, the prospect's after the demo. */
export function addDocuments(timeline: Timeline, deal: Deal, milestones: Milestones): RoomDocument[] {
  const random = deal.random.fork('documents');
  const { library, prospectDocuments } = deal.workspace.offer;
  const documents: RoomDocument[] = [];
  const add = (source: (typeof prospectDocuments)[number], sharedAt: Date, assetId?: string) => {
    const { title, category, pages } = source;
    const document = { id: random.uuid(title), title, category, pages, sharedAt };
    documents.push(document);
    timeline.add(sharedAt, documentInput(deal, document, assetId));
  };

  for (const asset of library) {
    const at = dueAt(asset.category, milestones);
    if (at !== null) add(asset, later(at, random.integer(5, 55) * 60_000), asset.assetId);
  }
  if (milestones.demo !== null) {
    for (const upload of random.sample(prospectDocuments, random.integer(1, 2))) {
      add(upload, momentBetween(random, milestones.demo.completedAt, later(deal.endAt, -HOUR_MS)));
    }
  }
  return documents;
}

/** When a document of a category is shared in the room; null if the deal has not reached that point. */
function dueAt(category: string, { roomAt, demo, deepDive, contractAt }: Milestones): Date | null {
  switch (category) {
    case 'overview':
      return roomAt;
    case 'case_study':
    case 'security':
    case 'pricing':
      return demo?.completedAt ?? null;
    case 'legal':
      return contractAt;
    default:
      return deepDive?.completedAt ?? null;
  }
}
