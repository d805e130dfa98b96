import { SegmentedControl, Text } from '@mantine/core';
import { useDeferredValue } from 'react';
import { integrationApi } from '../api/clients.ts';
import { LIVE_MS } from '../api/queries.ts';
import { CardTable } from '../parts/lists/card-table.tsx';
import { DeliveryLink } from '../parts/values/delivery-link.tsx';
import { DeliveryStatus } from '../parts/values/delivery-status.tsx';
import { Loaded } from '../parts/lists/loaded.tsx';
import { Panel } from '../parts/panel.tsx';
import { RowsLoading } from '../parts/lists/rows-loading.tsx';
import { Ago } from '../parts/values/time.tsx';
import { EmptyScreen } from '../status-screens/empty-screen.tsx';
import { LOG_STATES, type LogState } from './log-states.ts';

const MAX_ROWS = 20;

interface EndpointLogProps {
  endpointId: number;
  /** Only deliveries in this state; undefined for all. */
  status: LogState | undefined;
  onStatus: (status: LogState | undefined) => void;
}

/** Lists the newest deliveries of an endpoint. */
export function EndpointLog({ endpointId, status, onStatus }: EndpointLogProps) {
  // Keeps the previous deliveries until the new ones are loaded.
  const shown = useDeferredValue(status);
  return (
    <Panel
      title="Latest deliveries"
      aside={
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
      }
    >
      <Loaded outline={<RowsLoading label="Loading the deliveries" />}>
        <Deliveries endpointId={endpointId} status={shown} />
      </Loaded>
    </Panel>
  );
}

function Deliveries({ endpointId, status }: Pick<EndpointLogProps, 'endpointId' | 'status'>) {
  const { data: deliveries } = integrationApi.useSuspenseQuery(
    'get',
    '/webhooks/{id}/deliveries',
    {
      params: {
        path: { id: endpointId },
        query: { limit: MAX_ROWS, order: 'desc', ...(status !== undefined && { status }) },
      },
    },
    { refetchInterval: LIVE_MS },
  ).data;
  if (deliveries.length === 0) {
    return (
      <EmptyScreen title={status === undefined ? 'No deliveries yet' : `No ${status} deliveries`}>
        {status === undefined
          ? 'The first event that this endpoint subscribes to will appear here, and so will test events.'
          : 'Other deliveries are under "All".'}
      </EmptyScreen>
    );
  }
  return (
    <CardTable
      caption="The newest deliveries of this endpoint"
      rows={deliveries}
      keyOf={({ id }) => id}
      columns={{
        Event: ({ id, eventType }) => <DeliveryLink id={id}>{eventType}</DeliveryLink>,
        Status: (delivery) => <DeliveryStatus status={delivery.status} />,
        Attempts: ({ attempts }) => attempts,
        Response: ({ lastError, lastStatusCode }) => (
          <Text size="sm" className="breakable">
            {lastError ?? lastStatusCode ?? '–'}
          </Text>
        ),
        Created: ({ createdAt }) => <Ago at={createdAt} />,
      }}
    />
  );
}
