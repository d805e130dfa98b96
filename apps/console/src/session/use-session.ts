import { consoleApi } from '../api/clients.ts';
import type { Session } from './session.ts';

/** Returns the session inside the gate, which has already loaded it. */
export function useSession(): Session {
  return consoleApi.useSuspenseQuery('get', '/session', {}).data;
}
