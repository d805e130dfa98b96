import { Center, Loader, Stack, Text, Title } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { errorSentence } from '../api/failures.ts';
import { fetchFailure, onFetchChange } from '../api/queries.ts';

/** Shown until the first response arrives. While a request is being repeated, it shows the reason. */
export function LoadingScreen() {
  const failure = useSyncExternalStore(onFetchChange, fetchFailure);
  return (
    <Center mih="18rem" role="status" aria-label="Loading">
      <Stack align="center" gap="sm" maw="32rem" px="md">
        <Loader type="dots" />
        {failure !== null && (
          <>
            <Title order={1} size="h3" ta="center">
              Not loaded yet
            </Title>
            <Text ta="center" className="breakable">
              {errorSentence(failure)} The console tries again automatically.
            </Text>
          </>
        )}
      </Stack>
    </Center>
  );
}
