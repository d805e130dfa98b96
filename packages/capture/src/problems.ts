import type { Entry } from './entry.ts';
import { type FieldError, RecordError } from './record-error.ts';
import type { CaptureRecord } from './record.ts';

/** What becomes of a faulty record. */
export type Refuse<E> = (entry: E, error: RecordError) => void;

/** Collects what is wrong with the records of a run, so that a record is refused with all of its errors at once. */
export class Problems {
  readonly #errors = new Map<Entry, FieldError[]>();

  add(entry: Entry, field: string, message: string): void {
    const errors = this.#errors.get(entry);
    if (errors) errors.push({ field, message });
    else this.#errors.set(entry, [{ field, message }]);
  }

  /** Adds fields that the record of a new row lacks. */
  requireFields(entry: Entry, missing: readonly string[]): void {
    for (const field of missing) this.add(entry, field, 'required, because this is a new row');
  }

  /** Checks that every id in a reference field exists in the workspace. */
  requireKnown<R extends CaptureRecord, F extends keyof R & string>(
    entries: readonly Entry<R>[],
    field: F,
    known: { has(id: NonNullable<R[F]>): boolean },
  ): void {
    for (const entry of entries) {
      const id = entry.record[field];
      if (id !== null && id !== undefined && !known.has(id)) {
        this.add(entry, field, `${String(id)} is unknown in this workspace; capture it first`);
      }
    }
  }

  /** Checks that no update moves an object to another room: its engagement belongs to the room where it happened. */
  requireSameRoom(updates: { entry: Entry; before: { roomId: string }; after: { roomId: string } }[]): void {
    for (const { entry, before, after } of updates) {
      if (before.roomId !== after.roomId) {
        this.add(
          entry,
          'roomId',
          `must stay ${before.roomId}, because an object cannot move to another room`,
        );
      }
    }
  }

  /** @throws RecordError for the first faulty record, with everything that is wrong with it. */
  requireNone(): void {
    const [first] = [...this.#errors.keys()].toSorted((a, b) => a.line - b.line);
    if (first !== undefined) throw this.#errorOf(first);
  }

  /**
   * Returns the records without problems.
   *
   * @param refuse gets the others, each with its error; without it, the first of these errors is thrown.
   */
  sound<E extends Entry>(entries: E[], refuse: Refuse<E> | undefined): E[] {
    if (this.#errors.size === 0) return entries;
    if (refuse === undefined) this.requireNone();
    for (const entry of entries) if (this.#errors.has(entry)) refuse?.(entry, this.#errorOf(entry));
    return entries.filter((entry) => !this.#errors.has(entry));
  }

  #errorOf(entry: Entry): RecordError {
    const [error, ...others] = this.#errors.get(entry) as [FieldError, ...FieldError[]];
    return new RecordError(entry.line, error.field, error.message, others);
  }
}
