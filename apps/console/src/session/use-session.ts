import { consoleApi } from '../api/clients.ts';
import type { Session } from './session.ts';

/** Returns the session, for components inside the gate, which has already read it. */
export function useSession(): Session {
  return consoleApi.useSuspenseQuery('get', '/session', {}).data;
}
