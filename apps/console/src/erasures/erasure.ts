import type { components, paths } from '../api/generated/console.ts';
import { count } from '../text/numbers.ts';

/** The subject of an erasure, as the API expects it. */
export type ErasureRequest = paths['/erasures']['post']['requestBody']['content']['application/json'];
/** The effect of an erasure. */
export type ErasurePreview = components['schemas']['ErasurePreview'];

/** The ways to identify a person or a room. */
export const SUBJECTS = [
  { value: 'email', label: 'A person, by address' },
  { value: 'personId', label: 'A person, by id' },
  { value: 'buyerSpaceId', label: 'A room, by id' },
] as const satisfies readonly { value: keyof ErasureRequest; label: string }[];

export type Subject = (typeof SUBJECTS)[number]['value'];

const COUNTED: Readonly<Record<Exclude<keyof ErasurePreview, 'isComplete'>, [one: string, many: string]>> = {
  people: ['person', 'people'],
  distributions: ['share link', 'share links'],
  engagementEvents: ['engagement event', 'engagement events'],
  engagementViews: ['view', 'views'],
  calls: ['call', 'calls'],
  messages: ['message', 'messages'],
  rooms: ['room', 'rooms'],
  documents: ['document', 'documents'],
  actionItems: ['item of an action plan', 'items of action plans'],
  esignDocuments: ['contract', 'contracts'],
  webhookEvents: ['stored webhook', 'stored webhooks'],
  responses: ['response of a receiver', 'responses of receivers'],
  auditRecords: ['record of the audit log', 'records of the audit log'],
};

/** Describes the effect of an erasure: "3 share links". Leaves out kinds without data. */
export function describeCounts(preview: ErasurePreview): string[] {
  return Object.entries(COUNTED).flatMap(([field, [one, many]]) => {
    const number = preview[field as keyof typeof COUNTED];
    return number === 0 ? [] : [`${count(number)} ${number === 1 ? one : many}`];
  });
}
