import { lazy, Suspense, useState } from 'react';
import type { ConfirmDialogProps } from './confirm-window.tsx';

/** Loaded at the first action that has to be confirmed. */
const ConfirmWindow = lazy(async () => ({
  default: (await import('./confirm-window.tsx')).ConfirmWindow,
}));

/** Shows the effect of an action and asks for confirmation. */
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
