import type { Entry } from './entry.ts';
import { type FieldError, RecordError } from './record-error.ts';
import type { CaptureRecord } from './record.ts';

/** Gets a faulty record. */
export type OnInvalid<E> = (entry: E, error: RecordError) => void;

/** Collects what is wrong with the records of a run, so that a record is refused with all of its errors at once. */
export class Problems {
  readonly #errors = new Map<Entry, FieldError[]>();

  add(entry: Entry, field: string, message: string, code?: FieldError['code']): void {
    const error = { field, message, ...(code && { code }) };
    const errors = this.#errors.get(entry);
    if (errors) errors.push(error);
    else this.#errors.set(entry, [error]);
  }

  /** Whether something is wrong with a record. */
  has(entry: Entry): boolean {
    return this.#errors.has(entry);
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

  /** Checks that an update moves no object to another room: its engagement belongs to the room where it happened. */
  requireSameRoom(entry: Entry, before: { roomId: string } | undefined, after: { roomId: string }): void {
    if (before === undefined || before.roomId === after.roomId) return;
    this.add(entry, 'roomId', `must stay ${before.roomId}, because an object cannot move to another room`);
  }

  /** @throws RecordError for the first faulty record, with everything that is wrong with it. */
  requireNone(): void {
    const [first] = [...this.#errors.keys()].toSorted((a, b) => a.line - b.line);
    if (first !== undefined) throw this.#errorOf(first);
  }

  /**
   * Returns the records without problems.
   *
   * @param onInvalid gets the others, each with its error; without it, the first of these errors is thrown.
   */
  leaveOut<E extends Entry>(entries: E[], onInvalid: OnInvalid<E> | undefined): E[] {
    if (this.#errors.size === 0) return entries;
    if (onInvalid === undefined) this.requireNone();
    for (const entry of entries) if (this.has(entry)) onInvalid?.(entry, this.#errorOf(entry));
    return entries.filter((entry) => !this.has(entry));
  }

  #errorOf(entry: Entry): RecordError {
    const [error, ...others] = this.#errors.get(entry) as [FieldError, ...FieldError[]];
    return new RecordError(entry.line, error.field, error.message, others, error.code);
  }
}
