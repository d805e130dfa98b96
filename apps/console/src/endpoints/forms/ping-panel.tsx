import { Button, Stack } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { integrationApi } from '../../api/clients.ts';
import { DeliveryLink } from '../../parts/values/delivery-link.tsx';
import { ProblemNotice } from '../../parts/problem-notice.tsx';
import { TestOutcome } from './test-outcome.tsx';

/** Sends a test event to an endpoint and shows the result. */
export function PingPanel({ endpointId }: { endpointId: number }) {
  const ping = integrationApi.useMutation('post', '/webhooks/{id}/ping');
  const delivery = ping.data?.data;
  // The response to a test is the delivery. Its log contains the duration and the receiver's response.
  const detail = integrationApi.useQuery(
    'get',
    '/webhooks/{id}/deliveries/{deliveryId}',
    { params: { path: { id: endpointId, deliveryId: delivery?.id ?? '' } } },
    { enabled: delivery !== undefined },
  );
  const attempt = detail.data?.data.attemptLog.at(-1);
  return (
    <Stack gap="sm" align="stretch">
      <Button
        leftSection={<IconSend size={16} />}
        loading={ping.isPending}
        style={{ alignSelf: 'flex-start' }}
        onClick={() => ping.mutate({ params: { path: { id: endpointId } } })}
      >
        Send a test event
      </Button>
      {delivery !== undefined && !ping.isPending && (
        <>
          <TestOutcome
            delivered={delivery.status === 'delivered'}
            statusCode={delivery.lastStatusCode}
            durationMs={attempt?.durationMs ?? null}
            error={delivery.lastError}
            responseExcerpt={attempt?.responseExcerpt ?? null}
          />
          <DeliveryLink id={delivery.id}>See the test event in the log</DeliveryLink>
        </>
      )}
      <ProblemNotice error={ping.error} />
    </Stack>
  );
}
