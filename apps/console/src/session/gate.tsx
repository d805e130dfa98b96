import { lazy, type ReactNode, Suspense, useSyncExternalStore } from 'react';
import { consoleApi } from '../api/clients.ts';
import { FailedScreen } from '../status-screens/failed-screen.tsx';
import { FeatureOffScreen } from '../status-screens/feature-off-screen.tsx';
import { LoadingScreen } from '../status-screens/loading-screen.tsx';
import { OfferedSessionScreen } from '../status-screens/offered-session-screen.tsx';
import { PermissionScreen } from '../status-screens/permission-screen.tsx';
import { offerSession } from './offer.ts';
import { onSessionChange, type Session, type SessionState, sessionState } from './session.ts';
import { Stage } from './stage.tsx';

/** Loaded on demand, because most visits never show it. */
const NoSessionScreen = lazy(async () => ({
  default: (await import('../status-screens/no-session-screen.tsx')).NoSessionScreen,
}));

/** The maximum and minimum time between two checks of the session, in milliseconds. */
const MAX_MS = 60_000;
const MIN_MS = 1_000;

/**
 * Shows the console to users who may see it, and explains to others what is missing. If the session ends, its content leaves
 * the document. It is restored with all typed input when the same user continues.
 */
export function Gate({ children }: { children: ReactNode }) {
  const state = useSyncExternalStore(onSessionChange, sessionState);
  const { data: session } = consoleApi.useQuery(
    'get',
    '/session',
    {},
    {
      enabled: state.kind === 'active',
      refetchInterval: ({ state: { data } }) => untilEnd(data?.expiresAt),
    },
  );
  const missing = session === undefined ? <LoadingScreen /> : accessScreen(session);
  const obstacle = withoutSession(state) ?? missing;
  return (
    <>
      {missing === null && <Stage isShown={obstacle === null}>{children}</Stage>}
      {obstacle !== null && (
        <main className="standalone">
          <div className="panel">
            <Suspense fallback={<LoadingScreen />}>{obstacle}</Suspense>
          </div>
        </main>
      )}
    </>
  );
}

/** Returns the screen for a missing or offered session; null if a session is in use and none is offered. */
function withoutSession({ kind, offer }: SessionState): ReactNode {
  if (offer?.session != null) return <OfferedSessionScreen offer={offer} session={offer.session} />;
  if (offer?.error != null) {
    return <FailedScreen level={1} error={offer.error} retry={() => void offerSession(offer.token, offer)} />;
  }
  if (kind === 'active') return null;
  return offer === null ? <NoSessionScreen reason={kind} /> : <LoadingScreen />;
}

/** Returns the reason why a user has no access; null if they have access. */
function accessScreen(session: Session): ReactNode {
  if (!session.mayManage) return <PermissionScreen session={session} />;
  if (!session.company.apiEnabled) return <FeatureOffScreen session={session} />;
  return null;
}

/**
 * Returns when to check the session again: after its expected end. The server decides, because the local clock may be wrong.
 */
function untilEnd(expiresAt: string | undefined): number {
  if (expiresAt === undefined) return MAX_MS;
  return Math.min(MAX_MS, Math.max(MIN_MS, Date.parse(expiresAt) - Date.now()));
}
