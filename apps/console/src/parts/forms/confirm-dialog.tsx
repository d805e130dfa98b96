import { lazy, Suspense, useState } from 'react';
import type { ConfirmDialogProps } from './confirm-window.tsx';

/** Loaded at the first action that needs confirmation. */
const ConfirmWindow = lazy(async () => ({
  default: (await import('./confirm-window.tsx')).ConfirmWindow,
}));

/** Asks for confirmation of an action, and explains its effect. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const [wasOpen, setWasOpen] = useState(props.isOpen);
  if (props.isOpen && !wasOpen) setWasOpen(true);
  // Stays mounted once it was open, so that it can close like any other dialog.
  if (!wasOpen) return null;
  return (
    <Suspense fallback={null}>
      <ConfirmWindow {...props} />
    </Suspense>
  );
}
