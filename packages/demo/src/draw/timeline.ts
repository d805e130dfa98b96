import type { CaptureInput } from '@deal-signals/capture/record';

/** A record of one kind, before parsing. */
export type InputOf<K extends CaptureInput['record']> = Extract<CaptureInput, { record: K }>;

/** The kinds that other records refer to, in the order in which to capture them. All other kinds are activity. */
const FOUNDATIONS: readonly CaptureInput['record'][] =
  // prettier-ignore
  ['room', 'call', 'callSummary', 'member', 'distribution', 'document'];

/** Collects the records of a workspace in any order and returns them in an order that can be captured. */
export class Timeline {
  readonly #entries: { at: number; record: CaptureInput }[] = [];

  /** Adds what happened at one moment. Records of the same moment keep the order in which they were added. */
  add(at: Date, ...records: CaptureInput[]): void {
    for (const record of records) this.#entries.push({ at: at.getTime(), record });
  }

  /**
   * Returns all records. Those that others refer to come first, kind by kind, because capturing many of one kind in a
   * row is fast. Activity follows, oldest first, which becomes its order in the feeds.
   */
  records(): CaptureInput[] {
    return this.#entries
      .toSorted((a, b) => rank(a.record) - rank(b.record) || a.at - b.at)
      .map(({ record }) => record);
  }
}

function rank(record: CaptureInput): number {
  // A room refers to its source call, so that call is captured first without its room, and again once the room exists.
  if (record.record === 'call' && record.roomId == null) return -1;
  const place = FOUNDATIONS.indexOf(record.record);
  return place === -1 ? FOUNDATIONS.length : place;
}
