import { Code, Skeleton, Text } from '@mantine/core';
import { ApiFailure } from '../api/failures.ts';
import { CardTable } from '../parts/lists/card-table.tsx';
import { CallLink, RoomLink } from '../parts/values/object-links.tsx';
import { Panel } from '../parts/panel.tsx';
import type { DeliveryDetail } from './delivery-detail.ts';
import { jsonDifferences } from './json-difference.ts';
import { useObjectNow } from './object-now.ts';

/** Compares the payload with the current state of the same object. */
export function ComparisonPanel({ delivery }: { delivery: DeliveryDetail }) {
  const { sent, now, error, canChange } = useObjectNow(delivery);
  const { buyerSpaceId, callId } = delivery;
  const isCall = delivery.eventType.startsWith('call.');
  if (!canChange && buyerSpaceId === null && callId === null) return null;
  return (
    <Panel
      title="Then and now"
      aside={
        callId !== null && (isCall || buyerSpaceId === null) ? (
          <CallLink id={callId} />
        ) : (
          buyerSpaceId !== null && <RoomLink id={buyerSpaceId} />
        )
      }
    >
      {canChange ? (
        <Differences sent={sent} now={now} error={error} />
      ) : (
        <Text size="sm">This object does not change any more, so the API shows exactly what was sent.</Text>
      )}
    </Panel>
  );
}

function Differences({ sent, now, error }: { sent: unknown; now: unknown; error: unknown }) {
  const isGone = now === null || (error instanceof ApiFailure && error.status === 404);
  if (isGone) return <Text size="sm">The API no longer returns it, because it was deleted.</Text>;
  if (error !== null) return <Text size="sm">The current state could not be read from the API.</Text>;
  if (now === undefined) return <Skeleton height={60} />;
  const differences = jsonDifferences(sent, now);
  if (differences.length === 0) {
    return <Text size="sm">Nothing has changed since: the API shows what was sent.</Text>;
  }
  return (
    <CardTable
      caption="Changes since the event"
      rows={differences}
      keyOf={({ path }) => path}
      columns={{
        Field: ({ path }) => <Code className="breakable">{path}</Code>,
        Sent: ({ sent: before }) => <Value value={before} />,
        Now: ({ now: after }) => <Value value={after} />,
      }}
    />
  );
}

const MAX_CHARACTERS = 160;
/** A time in JSON, in two parts. */
const TIME = /^("\d{4}-\d\d-\d\dT)([\d:.]+Z")$/;

function Value({ value }: { value: unknown }) {
  if (value === undefined) return <Text size="sm">not there</Text>;
  const text = JSON.stringify(value);
  const [, day, time] = TIME.exec(text) ?? [];
  if (day !== undefined) {
    // In a narrow column, a time breaks only between its parts.
    return (
      <Text size="sm" ff="monospace">
        <span className="one-line">{day}</span>
        <wbr />
        <span className="one-line">{time}</span>
      </Text>
    );
  }
  return (
    <Text size="sm" ff="monospace" className="breakable" title={text}>
      {text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)} …` : text}
    </Text>
  );
}
