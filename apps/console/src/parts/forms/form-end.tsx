import { Button, Group } from '@mantine/core';
import { ProblemNotice } from '../problem-notice.tsx';

interface FormEndProps {
  /** The label of the submit button. */
  action: string;
  /** The error of the request; null if it has not failed. */
  error: unknown;
  isPending: boolean;
  /** Whether required input is missing. */
  isBlocked?: boolean;
  /** Whether the action cannot be undone. */
  isDestructive?: boolean;
  cancel: () => void;
}

/** The bottom of a form in a dialog: the error and the buttons. */
export function FormEnd({
  action,
  error,
  isPending,
  isBlocked = false,
  isDestructive = false,
  cancel,
}: FormEndProps) {
  return (
    <>
      <ProblemNotice error={error} />
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={cancel}>
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
    </>
  );
}
