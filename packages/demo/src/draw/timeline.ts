import type { CaptureInput } from '@deal-signals/capture/record';

/** A record of one kind as it stands before parsing. */
export type InputOf<K extends CaptureInput['record']> = Extract<CaptureInput, { record: K }>;

/** What others refer to, in the order in which they do so; everything else is something that happened. */
const FOUNDATIONS: readonly CaptureInput['record'][] =
  // prettier-ignore
  ['room', 'call', 'callSummary', 'member', 'distribution', 'document'];

/** Gathers the records of a workspace in any order and gives them back in one that can be captured. */
export class Timeline {
  readonly #entries: { at: number; record: CaptureInput }[] = [];

  /** Adds what happened at one moment; at the same moment, what was added first happened first. */
  add(at: Date, ...records: CaptureInput[]): void {
    for (const record of records) this.#entries.push({ at: at.getTime(), record });
  }

  /**
   * All records: first what others refer to, kind by kind, which makes capturing a large number fast; then what
   * happened, oldest first, which is the order in which feeds will serve it.
   */
  records(): CaptureInput[] {
    return this.#entries
      .toSorted((a, b) => rank(a.record) - rank(b.record) || a.at - b.at)
      .map(({ record }) => record);
  }
}

function rank(record: CaptureInput): number {
  // Rooms name the call they came from, and that call's record is repeated once it has its room.
  if (record.record === 'call' && record.roomId == null) return -1;
  const place = FOUNDATIONS.indexOf(record.record);
  return place === -1 ? FOUNDATIONS.length : place;
}
