import { Alert } from '@mantine/core';
import { useState } from 'react';
import { takeSessionChange } from '../session/token-storage.ts';
import type { Session } from '../session/session.ts';

const isChanged = takeSessionChange();

/** Shows the current workspace, after the session of another user was open in the same tab. */
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
      You are logged in as {session.user.name ?? `user ${session.user.id}`}. The previous contents of this tab
      belonged to another session and were discarded, with all unsent input.
    </Alert>
  );
}
