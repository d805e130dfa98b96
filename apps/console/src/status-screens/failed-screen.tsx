import { Button, Code, Text } from '@mantine/core';
import { IconAlertTriangle, IconPlugConnectedX } from '@tabler/icons-react';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ApiFailure, isGone, UnreachableFailure } from '../api/failures.ts';
import { forgetFailures, LIVE_MS, mayPass } from '../api/queries.ts';
import { onSessionChange } from '../session/session.ts';
import { NotFoundScreen } from './not-found-screen.tsx';
import { Screen } from './screen.tsx';

/**
 * Replaces what could not be read. What may pass is tried again as often as an open page asks for news, and everything
 * when another session begins.
 */
export function Failed({ error, reset, level = 2 }: ErrorComponentProps & Pick<FailedScreenProps, 'level'>) {
  useEffect(() => {
    forgetFailures();
    const timer = mayPass(error) ? setTimeout(reset, LIVE_MS) : undefined;
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
  /** As of `Screen`. */
  level?: 1 | 2;
}

/** Shows why something could not be read, with what support needs to know. */
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
