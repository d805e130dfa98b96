import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';

/** Loaded on first use, because the overview is the first page that an admin sees. */
const RetryDeadDialog = lazy(async () => ({
  default: (await import('./retry-dead-dialog.tsx')).RetryDeadDialog,
}));

interface RetryDeadButtonProps {
  endpointId: number;
  endpointName: string;
}

/** Sends all dead deliveries of an endpoint again, after a confirmation that shows their number. */
export function RetryDeadButton({ endpointId, endpointName }: RetryDeadButtonProps) {
  // Sends only what was dead when the dialog opened, which its number counts.
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
