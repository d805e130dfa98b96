import { consoleApi } from '../api/clients.ts';
import type { Session } from './session.ts';

/** The session, for everything inside the gate, which has read it already. */
export function useSession(): Session {
  return consoleApi.useSuspenseQuery('get', '/session', {}).data;
}
