import { Alert } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { errorSentence } from '../api/failures.ts';

/** Shows why an action failed. Shows nothing without an error. */
export function ProblemNotice({ error }: { error: unknown }) {
  if (error === null) return null;
  return (
    <Alert color="red" icon={<IconAlertTriangle />} title="This was not done" role="alert">
      {errorSentence(error)}
    </Alert>
  );
}
