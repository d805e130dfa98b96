import type { components, paths } from '../api/generated/console.ts';
import { count } from '../text/numbers.ts';

/** What is to be erased, as the API takes it. */
export type ErasureRequest = paths['/erasures']['post']['requestBody']['content']['application/json'];
/** What an erasure would touch. */
export type ErasurePreview = components['schemas']['ErasurePreview'];

/** How a person or a room is named. */
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

/** What an erasure would touch, in words: "3 share links". What it would not touch is left out. */
export function countsIn(preview: ErasurePreview): string[] {
  return Object.entries(COUNTED).flatMap(([field, [one, many]]) => {
    const number = preview[field as keyof typeof COUNTED];
    return number === 0 ? [] : [`${count(number)} ${number === 1 ? one : many}`];
  });
}
