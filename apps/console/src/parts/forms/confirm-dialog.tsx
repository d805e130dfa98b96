import { lazy, Suspense, useState } from 'react';
import type { ConfirmDialogProps } from './confirm-window.tsx';

/** Loaded at the first action that has to be confirmed. */
const ConfirmWindow = lazy(async () => ({
  default: (await import('./confirm-window.tsx')).ConfirmWindow,
}));

/** Asks before something is done, and says what it means. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const [wasOpen, setWasOpen] = useState(props.isOpen);
  if (props.isOpen && !wasOpen) setWasOpen(true);
  // Once it was open it stays, so that it can close like any other dialog.
  if (!wasOpen) return null;
  return (
    <Suspense fallback={null}>
      <ConfirmWindow {...props} />
    </Suspense>
  );
}
