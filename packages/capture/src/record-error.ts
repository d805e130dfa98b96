/** A record is invalid or too large, or contradicts stored data. */
export class RecordError extends Error {
  /** Path of the faulty field; empty if the record as a whole is faulty. */
  readonly field: string;
  /** The record's line number in its file, or its position in the captured list. Starts at 1. */
  readonly line: number;

  constructor(line: number, field: string, problem: string) {
    super(field === '' ? problem : `${field}: ${problem}`);
    this.field = field;
    this.line = line;
  }
}
