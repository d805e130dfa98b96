import type { components } from '../api/generated/console.ts';

type Call = components['schemas']['Call'];

/** The kinds of calls. */
export const CALL_KINDS = ['demo', 'qualifying_call', 'meeting'] as const satisfies Call['kind'][];
const KIND_NAMES: Record<Call['kind'], string> = {
  demo: 'Demo',
  qualifying_call: 'Qualifying call',
  meeting: 'Meeting',
};

/** Returns the name of a kind of call. */
export function kindName(kind: Call['kind']): string {
  return KIND_NAMES[kind];
}
