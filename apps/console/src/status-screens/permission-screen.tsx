import { Code } from '@mantine/core';
import { IconShieldLock } from '@tabler/icons-react';
import type { Session } from '../session/session.ts';
import { Screen } from './screen.tsx';

/** Shown to users who may not manage integrations. */
export function PermissionScreen({ session }: { session: Session }) {
  return (
    <Screen level={1} icon={<IconShieldLock />} title="You need a permission for this">
      {session.user.name ?? `User ${session.user.id}`} lacks <Code>integrations.crm</Code> in{' '}
      {session.company.name}. Ask an administrator of the workspace for it, then open the console again.
    </Screen>
  );
}
