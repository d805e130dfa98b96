import type { CaptureInput } from '@deal-signals/capture/records/record';

/** A record before parsing, without its workspace. */
export type DemoRecord = CaptureInput extends infer R
  ? R extends unknown
    ? Omit<R, 'companyId'>
    : never
  : never;

/** A record of one kind. */
export type InputOf<K extends CaptureInput['record']> = Extract<DemoRecord, { record: K }>;

/** The kinds that other records refer to, in the order in which to capture them. All other kinds are activity. */
const FOUNDATIONS = ['room', 'call', 'callSummary', 'member', 'distribution', 'document'];

/** Collects what happened in any order and returns it in an order that can be captured. */
export class Timeline {
  readonly #entries: { at: number; record: DemoRecord }[] = [];

  /** Adds what happened at one moment. Records of the same moment keep the order in which they were added. */
  add(at: Date, ...records: DemoRecord[]): void {
    for (const record of records) this.#entries.push({ at: at.getTime(), record });
  }

  /**
   * Returns all records. Those that others refer to come first, kind by kind, because capturing many of one kind in a
   * row is fast. Activity follows, oldest first, which becomes its order in the feeds.
   */
  records(): DemoRecord[] {
    return this.#entries
      .toSorted((a, b) => rank(a.record) - rank(b.record) || a.at - b.at)
      .map(({ record }) => record);
  }
}

function rank(record: DemoRecord): number {
  // A room refers to its source call, so that call is captured first without its room, and again once the room exists.
  if (record.record === 'call' && record.roomId == null) return -1;
  const place = FOUNDATIONS.indexOf(record.record);
  return place === -1 ? FOUNDATIONS.length : place;
}

/** Adds the workspace to records. */
export function ofWorkspace(companyId: number, records: readonly DemoRecord[]): CaptureInput[] {
  return records.map((record) => ({ companyId, ...record }) as CaptureInput);
}
