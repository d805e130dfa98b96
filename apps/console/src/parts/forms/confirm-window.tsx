import { Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import type { FormRequest } from '../../api/request-form.ts';
import { FormEnd } from './form-end.tsx';

/** The properties of a confirmation dialog. */
export interface ConfirmDialogProps {
  isOpen: boolean;
  close: () => void;
  title: string;
  /** The effect of the action. */
  children: ReactNode;
  /** The label of the confirm button. */
  action: string;
  /** The request of the action. */
  request: Pick<FormRequest, 'error' | 'isPending'>;
  /** Whether required input is missing. */
  isBlocked?: boolean;
  /** Whether the action cannot be undone. */
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
  request,
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
          <FormEnd
            action={action}
            error={request.error}
            isPending={request.isPending}
            isBlocked={isBlocked}
            isDestructive={isDestructive}
            cancel={close}
          />
        </Stack>
      </form>
    </Modal>
  );
}
