import { Alert } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { sentenceOf } from '../api/failures.ts';

/** Says that something was not done, and why. Nothing without an error. */
export function ProblemNotice({ error }: { error: unknown }) {
  if (error === null) return null;
  return (
    <Alert color="red" icon={<IconAlertTriangle />} title="This was not done" role="alert">
      {sentenceOf(error)}
    </Alert>
  );
}
