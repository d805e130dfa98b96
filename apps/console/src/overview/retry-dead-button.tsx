import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';

/** Loaded when it is opened, because the overview is what an admin sees first. */
const RetryDeadDialog = lazy(async () => ({
  default: (await import('./retry-dead-dialog.tsx')).RetryDeadDialog,
}));

interface RetryDeadButtonProps {
  endpointId: number;
  endpointName: string;
}

/** Sends all dead deliveries of an endpoint again, after it was confirmed with their number. */
export function RetryDeadButton({ endpointId, endpointName }: RetryDeadButtonProps) {
  // Only what was dead when the dialog opened is sent, as the number in it says.
  const [before, setBefore] = useState<string | null>(null);
  return (
    <>
      <Button size="xs" onClick={() => setBefore(new Date().toISOString())}>
        Retry all
      </Button>
      {before !== null && (
        <Suspense fallback={null}>
          <RetryDeadDialog
            endpointId={endpointId}
            endpointName={endpointName}
            before={before}
            close={() => setBefore(null)}
          />
        </Suspense>
      )}
    </>
  );
}
