import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';

interface SecretDialogProps {
  isOpen: boolean;
  close: () => void;
  title: string;
  children: ReactNode;
}

/** A dialog that ends with a secret. The secret is shown only once, so a click outside the dialog must not close it. */
export function SecretDialog({ isOpen, close, title, children }: SecretDialogProps) {
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title={title}
      size="lg"
      centered
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {children}
    </Modal>
  );
}
