import { CatchBoundary, useRouterState } from '@tanstack/react-router';
import { type ReactNode, Suspense } from 'react';
import { Failed } from '../../status-screens/failed-screen.tsx';

interface LoadedProps {
  /** Shown until the children have loaded their data. */
  outline: ReactNode;
  children: ReactNode;
}

/** A part of a page that loads data: shows its outline first, then the children, or an error. */
export function Loaded({ outline, children }: LoadedProps) {
  const address = useRouterState({ select: ({ location }) => location.href });
  return (
    <CatchBoundary getResetKey={() => address} errorComponent={Failed}>
      <Suspense fallback={outline}>{children}</Suspense>
    </CatchBoundary>
  );
}
