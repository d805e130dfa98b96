import { Modal, Stack, Text } from '@mantine/core';
import { useEffect } from 'react';
import { askFrameForSession } from '../session/hand-over.ts';
import { TokenForm } from '../session/token-form.tsx';

/** A notice over the page, which stays as it is until there is a new session. */
export function EndedSession() {
  useEffect(askFrameForSession, []);
  return (
    <Modal
      opened
      onClose={() => {}}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title="Your session has ended"
      centered
    >
      <Stack>
        <Text>
          Everything on this page is still there. Open the console from your product again, or paste a new
          session token, to continue where you are.
        </Text>
        <TokenForm />
      </Stack>
    </Modal>
  );
}
