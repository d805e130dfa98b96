import { IconInbox } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Screen } from './screen.tsx';

interface EmptyScreenProps {
  title: string;
  /** Why the list is empty, and what would fill it. */
  children: ReactNode;
  action?: ReactNode;
}

/** Shown instead of an empty list. */
export function EmptyScreen({ title, children, action }: EmptyScreenProps) {
  return (
    <Screen icon={<IconInbox />} title={title} action={action}>
      {children}
    </Screen>
  );
}
