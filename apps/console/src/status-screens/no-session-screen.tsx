import { IconLock } from '@tabler/icons-react';
import type { SessionState } from '../session/session.ts';
import { TokenForm } from '../session/token-form.tsx';
import { Screen } from './screen.tsx';

const TEXTS = {
  none: {
    title: 'You are not logged in',
    text: 'Open the console from your product, or paste a session token. The tab keeps the session until it ends or the tab is closed.',
  },
  ended: {
    title: 'Your session has ended',
    text: 'Open the console from your product again, or paste a new session token. As the same user, you continue where you were, with everything that you typed.',
  },
  broken_link: {
    title: 'This link is not valid',
    text: 'It does not contain a valid session token: it may have been cut off. Open the console from your product again, or paste a session token.',
  },
  refused: {
    title: 'This session is not valid',
    text: 'It has ended, or it is for another server. Open the console from your product again, or paste a new session token.',
  },
};

/** Shown to a user without a session. */
export function NoSessionScreen({ reason }: { reason: Exclude<SessionState['kind'], 'active'> }) {
  const { title, text } = TEXTS[reason];
  return (
    <Screen level={1} icon={<IconLock />} title={title} action={<TokenForm />}>
      {text}
    </Screen>
  );
}
