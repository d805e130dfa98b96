import { Text } from '@mantine/core';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { PageLink } from '../parts/lists/page-links.tsx';
import { useNow } from '../parts/values/time.tsx';
import { duration, fullTime } from '../text/times.ts';
import type { DeliveryDetail } from './delivery-detail.ts';

interface NextAttemptProps {
  delivery: DeliveryDetail;
  /** Null if it was removed. */
  endpoint: Endpoint | null;
}

/** Shows when and why the next attempt will start, or why there is none. */
export function NextAttempt({ delivery, endpoint }: NextAttemptProps) {
  const { status, nextAttemptAt, attempts, dismissedAt } = delivery;
  if (status === 'delivered') return 'None: the receiver has accepted it.';
  if (status === 'dead') {
    if (endpoint === null) return 'None: the endpoint was removed.';
    if (dismissedAt !== null) return 'None: an admin dismissed it. It can still be retried.';
    return `None: it failed permanently after ${count(attempts)}. A retry starts a new schedule.`;
  }
  if (nextAttemptAt === null) {
    if (endpoint === null || endpoint.enabled) return 'Soon: its endpoint has just changed.';
    return (
      <>
        When the{' '}
        <PageLink to="/endpoints/$endpointId" params={{ endpointId: String(endpoint.id) }} underline="always">
          endpoint
        </PageLink>{' '}
        is enabled again. It was {endpoint.disabledReason ?? 'disabled'}.
      </>
    );
  }
  if (endpoint?.awaitingVerification === true) return 'After a test event has succeeded at the endpoint.';
  return <Countdown delivery={delivery} at={nextAttemptAt} maxPerMinute={endpoint?.maxPerMinute ?? null} />;
}

interface CountdownProps {
  delivery: DeliveryDetail;
  at: string;
  maxPerMinute: number | null;
}

function Countdown({ delivery, at, maxPerMinute }: CountdownProps) {
  const now = useNow();
  const due = new Date(at);
  const leftMs = due.getTime() - now.getTime();
  const last = delivery.attemptLog.at(-1);
  const waitMs =
    last === undefined ? 0 : due.getTime() - (new Date(last.startedAt).getTime() + (last.durationMs ?? 0));
  // If the duration is hidden, the difference includes it.
  const wait = last?.durationMs === null ? '' : ` ${duration(waitMs)}`;
  return (
    <>
      <Text span size="sm" fw={600}>
        <time dateTime={at} title={fullTime(due)}>
          {leftMs > 0 ? `In ${clock(leftMs)}` : 'Due now'}
        </time>
      </Text>
      {leftMs > 0 && waitMs > 0 && delivery.attempts > 0
        ? `: the schedule waits${wait} after failure ${delivery.attempts}.`
        : maxPerMinute === null
          ? ': a worker picks it up next.'
          : `: the endpoint is limited to ${maxPerMinute} a minute, and deliveries that have waited longer go first.`}
    </>
  );
}

/** Formats the remaining time, such as 4:05 or 2:00:00. */
function clock(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  const two = (value: number) => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

function count(attempts: number): string {
  return attempts === 1 ? '1 attempt' : `${attempts} attempts`;
}
