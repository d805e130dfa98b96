import { Text } from '@mantine/core';
import '../endpoints/facts.css';
import { CopyText } from '../parts/copy-text.tsx';
import { CallLink, EndpointLink, RoomLink } from '../parts/object-links.tsx';
import { PageLink } from '../parts/page-links.tsx';
import { At } from '../parts/time.tsx';
import { meaningOf } from '../text/event-types.ts';
import type { DeliveryDetail } from './delivery-detail.ts';

/** What identifies a delivery and its event. */
export function DeliveryFacts({ delivery }: { delivery: DeliveryDetail }) {
  const { id, eventId, eventType, endpointId, buyerSpaceId, callId, createdAt, deliveredAt, dismissedAt } =
    delivery;
  const meaning = meaningOf(eventType);
  return (
    <section className="panel" aria-label="Facts">
      <dl className="facts">
        <dt>Event</dt>
        <dd>
          <Text size="sm">
            {eventType}
            {meaning !== null && `: ${meaning}`}
          </Text>
        </dd>
        <dt>Endpoint</dt>
        <dd>
          <EndpointLink id={endpointId} />
        </dd>
        {buyerSpaceId !== null && (
          <>
            <dt>Room</dt>
            <dd>
              <RoomLink id={buyerSpaceId} />
            </dd>
          </>
        )}
        {callId !== null && (
          <>
            <dt>Call</dt>
            <dd>
              <CallLink id={callId} />
            </dd>
          </>
        )}
        <dt>Created</dt>
        <dd>
          <At at={createdAt} />
        </dd>
        {deliveredAt !== null && (
          <>
            <dt>Delivered</dt>
            <dd>
              <At at={deliveredAt} />
            </dd>
          </>
        )}
        {dismissedAt !== null && (
          <>
            <dt>Dismissed</dt>
            <dd>
              <At at={dismissedAt} />
            </dd>
          </>
        )}
        <dt>Delivery id</dt>
        <dd>
          <CopyText text={id} what="the delivery id" />
        </dd>
        <dt>Event id</dt>
        <dd>
          <CopyText text={eventId} what="the event id" />
        </dd>
        <dt>Elsewhere</dt>
        <dd>
          <PageLink to="/deliveries" search={{ event_id: eventId }}>
            All deliveries of this event
          </PageLink>
        </dd>
      </dl>
    </section>
  );
}
