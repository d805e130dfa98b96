import { Button, Code, Text } from '@mantine/core';
import { IconAlertTriangle, IconPlugConnectedX } from '@tabler/icons-react';
import { ApiFailure, UnreachableFailure } from '../api/failures.ts';
import { Screen } from './screen.tsx';

interface FailedScreenProps {
  error: unknown;
  retry: () => void;
  /** As of `Screen`. */
  level?: 1 | 2;
}

/** Says why something could not be read, with what helps whoever is asked about it. */
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
