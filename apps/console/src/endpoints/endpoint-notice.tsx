import { Alert, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleX, IconClock, IconShieldQuestion } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { asSentence } from '../api/failures.ts';
import { count } from '../text/numbers.ts';
import { type Endpoint, failuresLeftInWords, getEndpointState } from './endpoint.ts';
import { type Health, useDisableAfter } from './health.ts';
import { rateLimitedInWords } from './rate-limit-words.ts';

interface EndpointNoticeProps {
  endpoint: Endpoint;
  /** The button that enables the endpoint. */
  enable: ReactNode;
  /** Describes the deliveries that only wait for the rate limit; null if there are none. */
  rateLimited: Health['rateLimited'];
}

/** Shows what is wrong with an endpoint, its effect, and what to do. Shows nothing if all is well. */
export function EndpointNotice({ endpoint, enable, rateLimited }: EndpointNoticeProps) {
  const disableAfter = useDisableAfter();
  const { lastError, consecutiveFailures } = endpoint;
  switch (getEndpointState(endpoint)) {
    case 'disabled':
      return (
        <Alert
          color="red"
          icon={<IconCircleX />}
          title={`Disabled: ${endpoint.disabledReason ?? 'no reason recorded'}`}
        >
          <Stack gap="sm" align="flex-start">
            <Text size="sm" className="breakable">
              {lastError !== null &&
                consecutiveFailures > 0 &&
                `${asSentence(`the last failure: ${lastError}`)} `}
              Nothing is sent to it. Waiting deliveries are kept and become due when it is enabled. Events
              that happen while it is disabled are not queued; once it is enabled, you can send the events
              that it missed.
            </Text>
            {enable}
          </Stack>
        </Alert>
      );
    case 'unverified':
      return (
        <Alert color="yellow" icon={<IconShieldQuestion />} title="Awaits a test">
          Deliveries wait until the receiver has accepted a test event. Send one below.
        </Alert>
      );
    case 'failing':
      return (
        <Alert
          color="yellow"
          icon={<IconAlertTriangle />}
          title={`${count(consecutiveFailures)} attempts in a row have failed`}
        >
          <Text size="sm" className="breakable">
            {lastError !== null && `${asSentence(lastError)} `}
            {disableAfter === undefined
              ? 'It is disabled automatically if this continues.'
              : asSentence(failuresLeftInWords(disableAfter - consecutiveFailures))}{' '}
            Deliveries are retried on the usual schedule.
          </Text>
        </Alert>
      );
    default:
      if (rateLimited === null) return null;
      return (
        <Alert color="blue" icon={<IconClock />} title={rateLimitedInWords(rateLimited)}>
          This is the configured limit, not an error. New events queue behind these deliveries. If that takes
          too long, raise the limit with “Change”.
        </Alert>
      );
  }
}
