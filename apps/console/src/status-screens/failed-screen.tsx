import { Button, Code, Text } from '@mantine/core';
import { IconAlertTriangle, IconPlugConnectedX } from '@tabler/icons-react';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ApiFailure, isGone, UnreachableFailure } from '../api/failures.ts';
import { clearFailures, LIVE_MS, isTransient } from '../api/queries.ts';
import { onSessionChange } from '../session/session.ts';
import { NotFoundScreen } from './not-found-screen.tsx';
import { Screen } from './screen.tsx';

/**
 * Replaces content that could not be loaded. Temporary failures are retried at the polling interval of an open page, and all
 * failures when another session starts.
 */
export function Failed({ error, reset, level = 2 }: ErrorComponentProps & Pick<FailedScreenProps, 'level'>) {
  useEffect(() => {
    clearFailures();
    const timer = isTransient(error) ? setTimeout(reset, LIVE_MS) : undefined;
    const end = onSessionChange(reset);
    return () => {
      clearTimeout(timer);
      end();
    };
  }, [error, reset]);
  return isGone(error) ? <NotFoundScreen /> : <FailedScreen level={level} error={error} retry={reset} />;
}

interface FailedScreenProps {
  error: unknown;
  retry: () => void;
  /** As in `Screen`. */
  level?: 1 | 2;
}

/** Shows why something could not be loaded, with details for support. */
export function FailedScreen({ error, retry, level = 2 }: FailedScreenProps) {
  const again = (
    <Button variant="light" onClick={retry}>
      Try again
    </Button>
  );
  if (error instanceof UnreachableFailure) {
    return (
      <Screen
        level={level}
        icon={<IconPlugConnectedX />}
        title="The server cannot be reached"
        action={again}
        tone="bad"
      >
        Check your connection. Nothing that you typed is lost.
      </Screen>
    );
  }
  const failure = error instanceof ApiFailure ? error : null;
  return (
    <Screen
      level={level}
      icon={<IconAlertTriangle />}
      title="This could not be loaded"
      action={again}
      tone="bad"
    >
      {error instanceof Error ? error.message : 'Something unexpected happened.'}
      {failure?.requestId != null && (
        <Text size="sm" c="dimmed" mt="xs">
          Request <Code>{failure.requestId}</Code>
        </Text>
      )}
    </Screen>
  );
}
