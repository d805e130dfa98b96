/** How records are captured. The flags of the command and the parameters of `POST /records` are named after these. */
export interface CaptureOptions {
  /**
   * What happens after a record is refused. `stop`, the default: what came before it is stored, and no later record of its
   * batch is. `continue`: it is left out.
   */
  onError?: OnError;
  /** Whether to check the records as if they were captured, and to store nothing. */
  dryRun?: boolean;
}

export type OnError = (typeof ON_ERROR)[number];

export const ON_ERROR = ['stop', 'continue'] as const;
