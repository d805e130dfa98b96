import { Grid, Group, Stack, Text } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { consoleApi, integrationApi } from '../api/clients.ts';
import { LIVE_MS } from '../api/queries.ts';
import { AttemptTimeline } from '../deliveries/attempt-timeline.tsx';
import { ComparisonPanel } from '../deliveries/comparison-panel.tsx';
import { DeliveryActions } from '../deliveries/delivery-actions.tsx';
import { DeliveryFacts } from '../deliveries/delivery-facts.tsx';
import { PayloadPanel } from '../deliveries/payload-panel.tsx';
import { DeliveryStatus } from '../parts/values/delivery-status.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { PageLink } from '../parts/lists/page-links.tsx';
import { RowsLoading } from '../parts/lists/rows-loading.tsx';

export const Route = createFileRoute('/deliveries/$deliveryId')({
  component: DeliveryPage,
  pendingComponent: () => <RowsLoading label="Loading the delivery" rows={3} height={140} />,
});

function DeliveryPage() {
  const { deliveryId } = Route.useParams();
  const { data: delivery } = consoleApi.useSuspenseQuery(
    'get',
    '/webhook-deliveries/{id}',
    { params: { path: { id: deliveryId } } },
    { refetchInterval: ({ state }) => (state.data?.data.status === 'pending' ? LIVE_MS / 2 : false) },
  ).data;
  const { data: endpoints } = integrationApi.useSuspenseQuery('get', '/webhooks');
  const endpoint = endpoints.data.find(({ id }) => id === delivery.endpointId) ?? null;
  return (
    <>
      <Text size="sm" mb={4}>
        <PageLink to="/deliveries">Deliveries</PageLink>
      </Text>
      <PageHead
        title={delivery.eventType}
        actions={<DeliveryActions delivery={delivery} endpoint={endpoint} />}
      >
        <Group gap="xs" mt={4}>
          <DeliveryStatus status={delivery.status} />
          <span>Delivery {delivery.id}</span>
        </Group>
      </PageHead>
      <Grid gap="md">
        <Grid.Col span={{ base: 12, lg: 7.5 }}>
          <Stack>
            <AttemptTimeline delivery={delivery} endpoint={endpoint} />
            <ComparisonPanel delivery={delivery} />
            <PayloadPanel delivery={delivery} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 4.5 }}>
          <Stack>
            <DeliveryFacts delivery={delivery} />
          </Stack>
        </Grid.Col>
      </Grid>
    </>
  );
}
