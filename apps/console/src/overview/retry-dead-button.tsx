import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';

/** Loaded on demand, because the overview is the first page that an admin sees. */
const RetryDeadDialog = lazy(async () => ({
  default: (await import('./retry-dead-dialog.tsx')).RetryDeadDialog,
}));

interface RetryDeadButtonProps {
  endpointId: number;
  endpointName: string;
}

/** Retries all dead deliveries of an endpoint, after confirmation of their number. */
export function RetryDeadButton({ endpointId, endpointName }: RetryDeadButtonProps) {
  // Only deliveries that were dead when the dialog opened are retried, to match the number in it.
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
