import { IconToggleLeft } from '@tabler/icons-react';
import type { Session } from '../session/session.ts';
import { Screen } from './screen.tsx';

/** Shown while the API is switched off for the workspace. */
export function FeatureOffScreen({ session }: { session: Session }) {
  return (
    <Screen level={1} icon={<IconToggleLeft />} title="The integration API is switched off">
      It is not enabled for {session.company.name}. Keys and endpoints are kept, but no webhooks are sent.
      Everything continues once it is switched on again.
    </Screen>
  );
}
