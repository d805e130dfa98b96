import { lazy, type ReactNode, Suspense, useSyncExternalStore } from 'react';
import { consoleApi } from '../api/clients.ts';
import { FailedScreen } from '../screens/failed-screen.tsx';
import { FeatureOffScreen } from '../screens/feature-off-screen.tsx';
import { LoadingScreen } from '../screens/loading-screen.tsx';
import { PermissionScreen } from '../screens/permission-screen.tsx';
import { onSessionChange, sessionState } from './session.ts';
import type { Session } from './use-session.ts';

/** Loaded when they are needed, because most visits never show them. */
const NoSessionScreen = lazy(async () => ({
  default: (await import('../screens/no-session-screen.tsx')).NoSessionScreen,
}));
const EndedSession = lazy(async () => ({
  default: (await import('../screens/ended-session.tsx')).EndedSession,
}));

/** The longest and the shortest time between two checks of the session, in milliseconds. */
const MOST_MS = 60_000;
const LEAST_MS = 1_000;

/**
 * Shows the console to those who may see it, and says to the others what is missing. If the session ends, the page stays as it
 * is under a notice, with everything that was typed, and continues with the next session.
 */
export function Gate({ children }: { children: ReactNode }) {
  const state = useSyncExternalStore(onSessionChange, sessionState);
  const {
    data: session,
    error,
    refetch,
  } = consoleApi.useQuery(
    'get',
    '/session',
    {},
    { enabled: state === 'active', refetchInterval: ({ state: { data } }) => untilEnd(data?.expiresAt) },
  );
  const obstacle = session === undefined ? withoutSession() : obstacleOf(session);
  if (obstacle !== null) {
    return (
      <main className="standalone">
        <div className="panel">
          <Suspense fallback={<LoadingScreen />}>{obstacle}</Suspense>
        </div>
      </main>
    );
  }
  return (
    <>
      {children}
      {state === 'ended' && (
        <Suspense fallback={null}>
          <EndedSession />
        </Suspense>
      )}
    </>
  );

  function withoutSession(): ReactNode {
    if (state !== 'active') return <NoSessionScreen hasEnded={state === 'ended'} />;
    if (error !== null) return <FailedScreen level={1} error={error} retry={() => void refetch()} />;
    return <LoadingScreen />;
  }
}

/** Why the user of a session sees nothing; null if they may see everything. */
function obstacleOf(session: Session): ReactNode {
  if (!session.mayManage) return <PermissionScreen session={session} />;
  if (!session.company.apiEnabled) return <FeatureOffScreen session={session} />;
  return null;
}

/** When to check the session again: once it should have ended. The server decides, because the clock here may be wrong. */
function untilEnd(expiresAt: string | undefined): number {
  if (expiresAt === undefined) return MOST_MS;
  return Math.min(MOST_MS, Math.max(LEAST_MS, Date.parse(expiresAt) - Date.now()));
}
