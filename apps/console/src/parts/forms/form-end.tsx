import { Button, Group } from '@mantine/core';
import { ProblemNotice } from '../problem-notice.tsx';

interface FormEndProps {
  /** The label of the button that submits. */
  action: string;
  /** Why the request failed; null if it did not. */
  error: unknown;
  isPending: boolean;
  /** Whether input is still missing. */
  isBlocked?: boolean;
  /** Whether the action cannot be undone. */
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
