import { Alert, Code, Stack, Text } from '@mantine/core';
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { asSentence } from '../../api/failures.ts';
import { duration } from '../../text/times.ts';

interface TestOutcomeProps {
  delivered: boolean;
  statusCode: number | null;
  /** Null if it is not known, or not shown. */
  durationMs: number | null;
  error: string | null;
  /** The beginning of what the receiver responded; null without a response. */
  responseExcerpt: string | null;
}

/** The outcome of a test event. */
export function TestOutcome({ delivered, statusCode, durationMs, error, responseExcerpt }: TestOutcomeProps) {
  const response = statusCode === null ? 'No response' : 'The response came';
  return (
    <Alert
      role="status"
      color={delivered ? 'teal' : 'red'}
      icon={delivered ? <IconCircleCheck /> : <IconCircleX />}
      title={titleOf(delivered, statusCode)}
    >
      <Stack gap="xs">
        {durationMs !== null && (
          <Text size="sm">
            {response} after {duration(durationMs)}.
          </Text>
        )}
        {error !== null && (
          <Text size="sm" className="breakable">
            {asSentence(error)}
          </Text>
        )}
        {responseExcerpt !== null && responseExcerpt !== '' && (
          <Code
            block
            tabIndex={0}
            role="region"
            aria-label="Beginning of the response"
            mah={160}
            style={{ overflow: 'auto' }}
          >
            {responseExcerpt}
          </Code>
        )}
      </Stack>
    </Alert>
  );
}

function titleOf(delivered: boolean, statusCode: number | null): string {
  if (delivered) return `The test event was accepted: status ${statusCode}`;
  // Without a response, it is unknown whether it has arrived.
  return statusCode === null
    ? 'There was no response to the test event'
    : `The test event was refused: status ${statusCode}`;
}
