import { Alert, Code, Stack, Text } from '@mantine/core';
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { asSentence } from '../../api/failures.ts';
import { duration } from '../../text/times.ts';

interface TestOutcomeProps {
  delivered: boolean;
  statusCode: number | null;
  /** Null if it is unknown or hidden. */
  durationMs: number | null;
  error: string | null;
  /** The beginning of the receiver's response; null if there was none. */
  responseExcerpt: string | null;
}

/** Shows the result of a test event. */
export function TestOutcome({ delivered, statusCode, durationMs, error, responseExcerpt }: TestOutcomeProps) {
  const response = statusCode === null ? 'No response' : 'The response arrived';
  return (
    <Alert
      role="status"
      color={delivered ? 'teal' : 'red'}
      icon={delivered ? <IconCircleCheck /> : <IconCircleX />}
      title={outcomeTitle(delivered, statusCode)}
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

function outcomeTitle(delivered: boolean, statusCode: number | null): string {
  if (delivered) return `The test event was accepted: status ${statusCode}`;
  // Without a response, it is unknown whether the event arrived.
  return statusCode === null
    ? 'There was no response to the test event'
    : `The test event was rejected: status ${statusCode}`;
}
