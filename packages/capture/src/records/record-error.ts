/** One thing that is wrong with a record. */
export interface FieldError {
  /** Path of the faulty field, such as `participants.0.name`; empty if the record as a whole is faulty. */
  field: string;
  message: string;
  /** Set if the record itself is valid and can be sent again later. */
  code?: 'RATE_LIMITED';
}

/** A record is invalid or too large, or contradicts stored data. */
export class RecordError extends Error {
  /** Everything that was found wrong with the record. */
  readonly errors: readonly FieldError[];
  /** Path of the first faulty field; empty if the record as a whole is faulty. */
  readonly field: string;
  /** The record's line number in its file, or its position in the captured list. Starts at 1. */
  readonly line: number;

  /**
   * @param others what else is wrong with the record.
   * @param code the code of the first error.
   */
  constructor(
    line: number,
    field: string,
    problem: string,
    others: readonly FieldError[] = [],
    code?: FieldError['code'],
  ) {
    const errors = [{ field, message: problem, ...(code && { code }) }, ...others];
    super(
      errors
        .map((error) => (error.field === '' ? error.message : `${error.field}: ${error.message}`))
        .join('; '),
    );
    this.errors = errors;
    this.field = field;
    this.line = line;
  }

  /** The same error of the record at another line. */
  atLine(line: number): RecordError {
    const [{ field, message, code }, ...others] = this.errors as [FieldError, ...FieldError[]];
    return new RecordError(line, field, message, others, code);
  }
}
