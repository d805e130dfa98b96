import { Group, SegmentedControl, Text, Title } from '@mantine/core';
import { managementApi } from '../api/clients.ts';
import { LIVE_MS } from '../api/queries.ts';
import { CardTable } from '../parts/card-table.tsx';
import { DeliveryLink } from '../parts/delivery-link.tsx';
import { DeliveryStatus } from '../parts/delivery-status.tsx';
import { RowsLoading } from '../parts/rows-loading.tsx';
import { Ago } from '../parts/time.tsx';
import { EmptyScreen } from '../screens/empty-screen.tsx';
import { FailedScreen } from '../screens/failed-screen.tsx';
import type { components } from '../api/generated/integration.ts';
import { LOG_STATES, type LogState } from './log-states.ts';

type Delivery = components['schemas']['WebhookDelivery'];

const MOST_ROWS = 20;

interface EndpointLogProps {
  endpointId: number;
  /** Only deliveries in this state; undefined for all. */
  status: LogState | undefined;
  onStatus: (status: LogState | undefined) => void;
}

/** The newest deliveries of an endpoint. */
export function EndpointLog({ endpointId, status, onStatus }: EndpointLogProps) {
  const { data, error, refetch } = managementApi.useQuery(
    'get',
    '/webhooks/{id}/deliveries',
    {
      params: {
        path: { id: endpointId },
        query: { limit: MOST_ROWS, order: 'desc', ...(status !== undefined && { status }) },
      },
    },
    { refetchInterval: LIVE_MS, placeholderData: (before) => before },
  );
  return (
    <section className="panel" aria-labelledby="log">
      <Group justify="space-between" mb="sm" gap="sm">
        <Title order={2} id="log">
          Latest deliveries
        </Title>
        <SegmentedControl
          size="xs"
          aria-label="Status of the deliveries"
          data={[
            { value: 'all', label: 'All' },
            { value: 'pending', label: 'Pending' },
            { value: 'delivered', label: 'Delivered' },
            { value: 'dead', label: 'Dead' },
          ]}
          value={status ?? 'all'}
          onChange={(value) => onStatus(LOG_STATES.find((state) => state === value))}
        />
      </Group>
      {data === undefined ? (
        error === null ? (
          <RowsLoading label="Loading the deliveries" />
        ) : (
          <FailedScreen error={error} retry={() => void refetch()} />
        )
      ) : data.data.length === 0 ? (
        <EmptyScreen title={status === undefined ? 'No deliveries yet' : `No ${status} deliveries`}>
          {status === undefined
            ? 'The first event that this endpoint subscribes to will be here. A test event is, too.'
            : 'Other deliveries are under "All".'}
        </EmptyScreen>
      ) : (
        <CardTable
          caption="The newest deliveries of this endpoint"
          columns={['Event', 'Status', 'Attempts', 'Response', 'Created']}
        >
          {data.data.map((delivery) => (
            <DeliveryRow key={delivery.id} delivery={delivery} />
          ))}
        </CardTable>
      )}
    </section>
  );
}

function DeliveryRow({ delivery }: { delivery: Delivery }) {
  const { id, eventType, status, attempts, lastStatusCode, lastError, createdAt } = delivery;
  return (
    <tr>
      <th scope="row">
        <DeliveryLink id={id}>{eventType}</DeliveryLink>
      </th>
      <td data-label="Status">
        <DeliveryStatus status={status} />
      </td>
      <td data-label="Attempts">{attempts}</td>
      <td data-label="Response">
        <Text size="sm" className="breakable">
          {lastError ?? lastStatusCode ?? '–'}
        </Text>
      </td>
      <td data-label="Created">
        <Ago at={createdAt} />
      </td>
    </tr>
  );
}
