import { Center, Loader, Stack, Text, Title } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { sentenceOf } from '../api/failures.ts';
import { failureOfFetch, onFetchChange } from '../api/queries.ts';

/** Shown until the first response is there. While a request is being repeated, it says why. */
export function LoadingScreen() {
  const failure = useSyncExternalStore(onFetchChange, failureOfFetch);
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
              {sentenceOf(failure)} The console tries again by itself.
            </Text>
          </>
        )}
      </Stack>
    </Center>
  );
}
