import { Alert } from '@mantine/core';
import { useState } from 'react';
import { takeNoteOfChange } from '../session/kept-token.ts';
import type { Session } from '../session/session.ts';

const isChanged = takeNoteOfChange();

/** Shows whose workspace this is, after another user's session was open in the same tab. */
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
      The session is that of {session.user.name ?? `user ${session.user.id}`}. What was open here before
      belonged to another session: it is gone, with everything that was typed and not sent.
    </Alert>
  );
}
