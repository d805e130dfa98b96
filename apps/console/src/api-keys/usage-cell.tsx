import { Skeleton, Text } from '@mantine/core';
import { Sparkline } from '../graphs/sparkline.tsx';
import { count } from '../text/numbers.ts';
import { DAYS, type KeyUsage } from './key-usage.ts';

interface UsageCellProps {
  /** Undefined for an unused key. */
  usage: KeyUsage | undefined;
  isLoading: boolean;
}

/** Shows the requests with a key on each of the last days. */
export function UsageCell({ usage, isLoading }: UsageCellProps) {
  if (isLoading) return <Skeleton height={28} w={144} />;
  if (usage === undefined) {
    return (
      <Text size="sm" c="dimmed">
        no requests
      </Text>
    );
  }
  const { requests, refused, totalRequests, totalRefused } = usage;
  const words = `${count(totalRequests)} ${totalRequests === 1 ? 'request' : 'requests'}`;
  return (
    <div style={{ width: '9rem' }}>
      <Sparkline
        label={`${words} in the last ${DAYS} days, ${count(requests.at(-1) ?? 0)} of them today`}
        height={24}
        series={[
          {
            label: 'Served',
            color: 'signal-5',
            values: requests.map((all, day) => all - (refused[day] ?? 0)),
          },
          { label: 'Refused', color: 'red-6', values: refused },
        ]}
      />
      <Text size="xs" c="dimmed" mt={2}>
        {words}
        {totalRefused > 0 && <span className="danger-text">, {count(totalRefused)} refused</span>}
      </Text>
    </div>
  );
}
