import { Alert, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleX, IconShieldQuestion } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { asSentence } from '../api/failures.ts';
import { count } from '../text/numbers.ts';
import { type Endpoint, stateOf } from './endpoint.ts';

interface EndpointNoticeProps {
  endpoint: Endpoint;
  /** The button that enables the endpoint. */
  enable: ReactNode;
}

/** Says what is wrong with an endpoint, what that means, and what to do. Nothing if all is well. */
export function EndpointNotice({ endpoint, enable }: EndpointNoticeProps) {
  switch (stateOf(endpoint)) {
    case 'disabled':
      return (
        <Alert
          color="red"
          icon={<IconCircleX />}
          title={`Disabled: ${endpoint.disabledReason ?? 'no reason recorded'}`}
        >
          <Stack gap="sm" align="flex-start">
            <Text size="sm">
              Nothing is sent here. Deliveries that were waiting are kept and become due when it is enabled.
              For events that happen meanwhile there will be none: read them from the feeds.
            </Text>
            {enable}
          </Stack>
        </Alert>
      );
    case 'unverified':
      return (
        <Alert color="yellow" icon={<IconShieldQuestion />} title="Awaits a test">
          Deliveries wait until the receiver has accepted a test event once. Send one below.
        </Alert>
      );
    case 'failing':
      return (
        <Alert
          color="yellow"
          icon={<IconAlertTriangle />}
          title={`${count(endpoint.consecutiveFailures)} attempts in a row have failed`}
        >
          <Text size="sm" className="breakable">
            {endpoint.lastError !== null && `${asSentence(endpoint.lastError)} `}
            It is disabled automatically if this goes on. Deliveries are retried on the usual schedule.
          </Text>
        </Alert>
      );
    default:
      return null;
  }
}
