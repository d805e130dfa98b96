import { Code, Group, Skeleton, Text, Title } from '@mantine/core';
import { ApiFailure } from '../api/failures.ts';
import { CardTable } from '../parts/card-table.tsx';
import { CallLink, RoomLink } from '../parts/object-links.tsx';
import type { DeliveryDetail } from './delivery-detail.ts';
import { jsonDifferences } from './json-difference.ts';
import { useObjectNow } from './object-now.ts';

/** Compares what was sent with what the API shows of the same object now. */
export function ComparisonPanel({ delivery }: { delivery: DeliveryDetail }) {
  const { sent, now, error, canChange } = useObjectNow(delivery);
  const { buyerSpaceId, callId } = delivery;
  const isCall = delivery.eventType.startsWith('call.');
  if (!canChange && buyerSpaceId === null && callId === null) return null;
  return (
    <section className="panel" aria-labelledby="now">
      <Group justify="space-between" gap="sm" mb="xs">
        <Title order={2} id="now">
          Then and now
        </Title>
        {callId !== null && (isCall || buyerSpaceId === null) ? (
          <CallLink id={callId} />
        ) : (
          buyerSpaceId !== null && <RoomLink id={buyerSpaceId} />
        )}
      </Group>
      {canChange ? (
        <Differences sent={sent} now={now} error={error} />
      ) : (
        <Text size="sm">
          What it reports does not change any more, so the API shows the same as was sent.
        </Text>
      )}
    </section>
  );
}

function Differences({ sent, now, error }: { sent: unknown; now: unknown; error: unknown }) {
  const isGone = now === null || (error instanceof ApiFailure && error.status === 404);
  if (isGone) return <Text size="sm">The API does not show it any more: it was deleted.</Text>;
  if (error !== null) return <Text size="sm">The API could not be asked what it shows now.</Text>;
  if (now === undefined) return <Skeleton height={60} />;
  const differences = jsonDifferences(sent, now);
  if (differences.length === 0) {
    return <Text size="sm">Nothing has changed since: the API shows what was sent.</Text>;
  }
  return (
    <CardTable caption="What has changed since the event" columns={['Field', 'Sent', 'Now']}>
      {differences.map(({ path, sent: before, now: after }) => (
        <tr key={path}>
          <th scope="row" className="breakable">
            <Code>{path}</Code>
          </th>
          <td data-label="Sent">
            <Value value={before} />
          </td>
          <td data-label="Now">
            <Value value={after} />
          </td>
        </tr>
      ))}
    </CardTable>
  );
}

const MOST_CHARACTERS = 160;
/** A time as JSON, in two parts. */
const TIME = /^("\d{4}-\d\d-\d\dT)([\d:.]+Z")$/;

function Value({ value }: { value: unknown }) {
  if (value === undefined) return <Text size="sm">not there</Text>;
  const text = JSON.stringify(value);
  const [, day, time] = TIME.exec(text) ?? [];
  if (day !== undefined) {
    // In a narrow column, a time breaks between its parts and nowhere else.
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
      {text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)} …` : text}
    </Text>
  );
}
