import { ApiRefusal, ApiUnavailable, messageOf } from '../errors.ts';
import { StoreConflict } from '../stores/store.ts';
import { EXIT_CODES, UsageError } from './command.ts';
import { escapeForTerminal } from './escape-for-terminal.ts';

/** Returns the exit code for an error of a command. */
export function exitCodeFor(error: unknown): number {
  if (error instanceof UsageError) return EXIT_CODES.usage;
  if (error instanceof ApiRefusal) return EXIT_CODES.refused;
  if (error instanceof ApiUnavailable) return EXIT_CODES.unavailable;
  if (error instanceof StoreConflict) return EXIT_CODES.conflict;
  return EXIT_CODES.failed;
}

/** Advice about the refusals that a user may see. */
const ADVICE: ReadonlyMap<string | null, string> = new Map([
  ['API_KEY_INVALID', 'The key is wrong, was revoked or has expired. An admin can create another one.'],
  [
    'PERMISSION_DENIED',
    'The key does not have this permission. Use --feeds to leave out what it may not read.',
  ],
  ['FEATURE_NOT_ENABLED', 'The API is switched off for this workspace.'],
  [
    'INVALID_CURSOR',
    'The stored cursor is not valid for this API. Was the copy made from another installation?',
  ],
  ['NOT_FOUND', 'Is DEAL_SIGNALS_URL right?'],
]);

/** Returns the message of an error, with advice if there is any. */
export function explainError(error: unknown): string {
  const message = escapeForTerminal(messageOf(error));
  const advice = error instanceof ApiRefusal ? ADVICE.get(error.code) : undefined;
  return advice === undefined ? message : `${message}\n${advice}`;
}
