import { Button, Group } from '@mantine/core';
import { ProblemNotice } from '../problem-notice.tsx';

interface FormEndProps {
  /** The name of the button that does it. */
  action: string;
  /** Why it was not done; null if it has not failed. */
  error: unknown;
  isPending: boolean;
  /** Whether something is still missing. */
  isBlocked?: boolean;
  /** Whether it cannot be undone. */
  isDestructive?: boolean;
  cancel: () => void;
}

/** The end of a form in a dialog. */
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
