import { CopyText } from '../parts/values/copy-text.tsx';
import { Facts } from '../parts/values/facts.tsx';
import { CallLink, EndpointLink, RoomLink } from '../parts/values/object-links.tsx';
import { PageLink } from '../parts/lists/page-links.tsx';
import { At } from '../parts/values/time.tsx';
import { eventMeaning } from '../text/event-types.ts';
import type { DeliveryDetail } from './delivery-detail.ts';

/** Shows the ids of a delivery and its event. */
export function DeliveryFacts({ delivery }: { delivery: DeliveryDetail }) {
  const { id, eventId, eventType, endpointId, buyerSpaceId, callId, createdAt, deliveredAt, dismissedAt } =
    delivery;
  const meaning = eventMeaning(eventType);
  return (
    <section className="panel" aria-label="Facts">
      <Facts
        facts={[
          ['Event', meaning === null ? eventType : `${eventType}: ${meaning}`],
          ['Endpoint', <EndpointLink id={endpointId} key="endpoint" />],
          ['Room', buyerSpaceId && <RoomLink id={buyerSpaceId} />],
          ['Call', callId && <CallLink id={callId} />],
          ['Created', <At at={createdAt} key="created" />],
          ['Delivered', deliveredAt && <At at={deliveredAt} />],
          ['Dismissed', dismissedAt && <At at={dismissedAt} />],
          ['Delivery id', <CopyText text={id} what="the delivery id" key="id" />],
          ['Event id', <CopyText text={eventId} what="the event id" key="event" />],
          [
            'Elsewhere',
            <PageLink to="/deliveries" search={{ event_id: eventId }} key="elsewhere">
              All deliveries of this event
            </PageLink>,
          ],
        ]}
      />
    </section>
  );
}
