import { Alert } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';

/** Says that something was not done, and why. Nothing without a problem. */
export function ProblemNotice({ problem }: { problem: string | null }) {
  if (problem === null) return null;
  return (
    <Alert color="red" icon={<IconAlertTriangle />} title="This was not done" role="alert">
      {problem}
    </Alert>
  );
}
