import { Button, Group, Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { problemsOf } from '../api/field-problems.ts';
import { ProblemNotice } from './problem-notice.tsx';

/** What a question before something is done needs. */
export interface ConfirmDialogProps {
  isOpen: boolean;
  close: () => void;
  title: string;
  /** What it means. */
  children: ReactNode;
  /** The name of the button that does it. */
  action: string;
  /** Why it failed; null if it has not. */
  error: unknown;
  isPending: boolean;
  /** Whether something is still missing. */
  isBlocked?: boolean;
  /** Whether it cannot be undone. */
  isDestructive?: boolean;
  confirm: () => void;
}

/** The window of `ConfirmDialog`. */
export function ConfirmWindow({
  isOpen,
  close,
  title,
  children,
  action,
  error,
  isPending,
  isBlocked = false,
  isDestructive = false,
  confirm,
}: ConfirmDialogProps) {
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title={title}
      centered
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBlocked) confirm();
        }}
      >
        <Stack>
          {children}
          <ProblemNotice problem={problemsOf(error, []).general} />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button
              type="submit"
              color={isDestructive ? 'red.9' : 'signal'}
              loading={isPending}
              disabled={isBlocked}
            >
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
