import { Center, Loader } from '@mantine/core';

/** Shown until the first response is there. */
export function LoadingScreen() {
  return (
    <Center mih="18rem" role="status" aria-label="Loading">
      <Loader type="dots" />
    </Center>
  );
}
