import { CatchBoundary, useRouterState } from '@tanstack/react-router';
import { type ReactNode, Suspense } from 'react';
import { Failed } from '../../status-screens/failed-screen.tsx';

interface LoadedProps {
  /** Shown until everything that the children read is loaded. */
  outline: ReactNode;
  children: ReactNode;
}

/** A part of a page that is read from the API: first its outline, then itself, or why it could not be loaded. */
export function Loaded({ outline, children }: LoadedProps) {
  const address = useRouterState({ select: ({ location }) => location.href });
  return (
    <CatchBoundary getResetKey={() => address} errorComponent={Failed}>
      <Suspense fallback={outline}>{children}</Suspense>
    </CatchBoundary>
  );
}
