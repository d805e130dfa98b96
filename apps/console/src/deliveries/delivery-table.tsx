import { Text } from '@mantine/core';
import { CardTable } from '../parts/card-table.tsx';
import { DeliveryLink } from '../parts/delivery-link.tsx';
import { DeliveryStatus } from '../parts/delivery-status.tsx';
import { CallLink, EndpointLink, RoomLink } from '../parts/object-links.tsx';
import { Ago } from '../parts/time.tsx';
import type { Delivery } from './use-delivery-log.ts';

const COLUMNS = ['Event', 'About', 'Endpoint', 'Status', 'Outcome', 'Created'];

/** Deliveries, in the order in which they are given. */
export function DeliveryTable({ deliveries }: { deliveries: readonly Delivery[] }) {
  return (
    <CardTable caption="Deliveries, newest first" columns={COLUMNS}>
      {deliveries.map((delivery) => (
        <DeliveryRow key={delivery.id} delivery={delivery} />
      ))}
    </CardTable>
  );
}

function DeliveryRow({ delivery }: { delivery: Delivery }) {
  const { id, eventType, endpointId, status, createdAt, buyerSpaceId, callId } = delivery;
  return (
    <tr>
      <th scope="row">
        <DeliveryLink id={id}>{eventType}</DeliveryLink>
      </th>
      <td data-label="About">
        {buyerSpaceId !== null ? (
          <RoomLink id={buyerSpaceId} />
        ) : callId !== null ? (
          <CallLink id={callId} />
        ) : (
          <Text size="sm">–</Text>
        )}
      </td>
      <td data-label="Endpoint">
        <EndpointLink id={endpointId} />
      </td>
      <td data-label="Status">
        <DeliveryStatus status={status} />
      </td>
      <td data-label="Outcome">
        <Outcome delivery={delivery} />
      </td>
      <td data-label="Created">
        <Ago at={createdAt} />
      </td>
    </tr>
  );
}

/** What the attempts came to, in a few words. */
function Outcome({ delivery }: { delivery: Delivery }) {
  const { status, attempts, lastStatusCode, lastError, nextAttemptAt, dismissedAt } = delivery;
  const tries = attempts === 1 ? '1 attempt' : `${attempts} attempts`;
  if (status === 'delivered') {
    return (
      <Text size="sm" className="one-line">
        {lastStatusCode} · {tries}
      </Text>
    );
  }
  return (
    <Text size="sm" className="breakable" component="span">
      {attempts > 0 && `${lastError ?? 'failed'}, ${tries}`}
      {dismissedAt !== null && ' · dismissed'}
      {status === 'pending' && (
        <>
          {attempts > 0 && ' · '}
          {nextAttemptAt === null ? (
            'waits for its endpoint'
          ) : attempts === 0 ? (
            'due'
          ) : (
            <>
              next <Ago at={nextAttemptAt} />
            </>
          )}
        </>
      )}
    </Text>
  );
}
