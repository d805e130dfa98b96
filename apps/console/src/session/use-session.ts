import { consoleApi } from '../api/clients.ts';
import type { components } from '../api/generated/console.ts';

/** Who is logged in, to which workspace. */
export type Session = components['schemas']['ConsoleSession'];

/** The session, for everything inside the gate, which has read it already. */
export function useSession(): Session {
  return consoleApi.useSuspenseQuery('get', '/session', {}).data;
}
