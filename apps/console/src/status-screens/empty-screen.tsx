import { IconInbox } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Screen } from './screen.tsx';

interface EmptyScreenProps {
  title: string;
  /** Why there is nothing, and what would bring something. */
  children: ReactNode;
  action?: ReactNode;
}

/** Shown in place of a list that has no rows. */
export function EmptyScreen({ title, children, action }: EmptyScreenProps) {
  return (
    <Screen icon={<IconInbox />} title={title} action={action}>
      {children}
    </Screen>
  );
}
