import { IconLock } from '@tabler/icons-react';
import { TokenForm } from '../session/token-form.tsx';
import { Screen } from './screen.tsx';

/** Shown to somebody without a session. */
export function NoSessionScreen({ hasEnded = false }: { hasEnded?: boolean }) {
  return (
    <Screen
      level={1}
      icon={<IconLock />}
      title={hasEnded ? 'Your session has ended' : 'You are not logged in'}
      action={<TokenForm />}
    >
      Open the console from your product again, or paste a session token. The console keeps the token in the
      memory of this page only, so reloading the page ends the session.
    </Screen>
  );
}
