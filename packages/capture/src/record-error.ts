/** One thing that is wrong with a record. */
export interface FieldError {
  /** Path of the faulty field, such as `participants.0.name`; empty if the record as a whole is faulty. */
  field: string;
  message: string;
}

/** A record is invalid or too large, or contradicts stored data. */
export class RecordError extends Error {
  /** Everything that was found wrong with the record. */
  readonly errors: readonly FieldError[];
  /** Path of the first faulty field; empty if the record as a whole is faulty. */
  readonly field: string;
  /** The record's line number in its file, or its position in the captured list. Starts at 1. */
  readonly line: number;

  /** @param others what else is wrong with the record. */
  constructor(line: number, field: string, problem: string, others: readonly FieldError[] = []) {
    const errors = [{ field, message: problem }, ...others];
    super(
      errors
        .map((error) => (error.field === '' ? error.message : `${error.field}: ${error.message}`))
        .join('; '),
    );
    this.errors = errors;
    this.field = field;
    this.line = line;
  }
}
