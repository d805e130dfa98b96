/** A record that does not parse, or does not fit what is stored. */
export class RecordError extends Error {
  /** The field that is wrong, as a path; empty when it is the record as a whole. */
  readonly field: string;
  /** The record's line in its file, or its place in the list that was captured; both count from 1. */
  readonly line: number;

  constructor(line: number, field: string, problem: string) {
    super(field === '' ? problem : `${field}: ${problem}`);
    this.field = field;
    this.line = line;
  }
}
