/** How records are captured. The flags of the command and the parameters of `POST /records` are named after these. */
export interface CaptureOptions {
  /**
   * What happens after a record is refused. `stop`, the default: what came before it is stored, and no later record of its
   * batch is. `continue`: it is left out.
   */
  onError?: OnError;
  /** Whether to store nothing: all records are validated, and the first batch of each workspace is checked as if it were captured. */
  dryRun?: boolean;
  /** Whether fields that no record of the kind has are ignored; otherwise they are errors. */
  lenient?: boolean;
  /** Whether no webhooks are sent for the changes, as for an import of history; the feeds show them all the same. */
  noWebhooks?: boolean;
}

export type OnError = (typeof ON_ERROR)[number];

export const ON_ERROR = ['stop', 'continue'] as const;
