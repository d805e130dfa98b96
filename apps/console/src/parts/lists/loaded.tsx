import { CatchBoundary, useRouterState } from '@tanstack/react-router';
import { type ReactNode, Suspense } from 'react';
import { Failed } from '../../status-screens/failed-screen.tsx';

interface LoadedProps {
  /** Shown until everything is read that the children read. */
  outline: ReactNode;
  children: ReactNode;
}

/** A part of a page that is read from the API: its outline at first, then itself, or why it could not be read. */
export function Loaded({ outline, children }: LoadedProps) {
  const address = useRouterState({ select: ({ location }) => location.href });
  return (
    <CatchBoundary getResetKey={() => address} errorComponent={Failed}>
      <Suspense fallback={outline}>{children}</Suspense>
    </CatchBoundary>
  );
}
