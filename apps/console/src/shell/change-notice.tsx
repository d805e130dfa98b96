import { Alert } from '@mantine/core';
import { useState } from 'react';
import { consumeChange } from '../session/kept-token.ts';
import type { Session } from '../session/session.ts';

const isChanged = consumeChange();

/** Shows the current workspace after another user's session was open in the same tab. */
export function ChangeNotice({ session }: { session: Session }) {
  const [isOpen, setOpen] = useState(isChanged);
  if (!isOpen) return null;
  return (
    <Alert
      color="yellow"
      title={<span className="breakable">This is {session.company.name} now</span>}
      mb="md"
      role="status"
      withCloseButton
      closeButtonLabel="Close"
      onClose={() => setOpen(false)}
    >
      The session is that of {session.user.name ?? `user ${session.user.id}`}. The previous content belonged
      to another session. It is gone, with all unsent input.
    </Alert>
  );
}
