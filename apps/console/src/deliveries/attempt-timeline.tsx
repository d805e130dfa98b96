import { Code, Group, Stack, Text, Timeline } from '@mantine/core';
import { IconCheck, IconClock, IconX } from '@tabler/icons-react';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { Panel } from '../parts/panel.tsx';
import { Ago, At } from '../parts/values/time.tsx';
import { duration } from '../text/times.ts';
import type { Attempt, DeliveryDetail } from './delivery-detail.ts';
import { NextAttempt } from './next-attempt.tsx';

interface AttemptTimelineProps {
  delivery: DeliveryDetail;
  endpoint: Endpoint | null;
}

/** Lists the attempts, newest first, below the next attempt. */
export function AttemptTimeline({ delivery, endpoint }: AttemptTimelineProps) {
  const isOpen = delivery.status === 'pending';
  return (
    <Panel title="Attempts">
      <Timeline bulletSize={26} lineWidth={2} active={delivery.attemptLog.length + 1}>
        {(isOpen || delivery.attemptLog.length === 0) && (
          <Timeline.Item
            bullet={<IconClock size={14} aria-hidden />}
            color="blue.8"
            lineVariant="dashed"
            title="Next attempt"
          >
            <Text size="sm" component="div">
              <NextAttempt delivery={delivery} endpoint={endpoint} />
            </Text>
          </Timeline.Item>
        )}
        {delivery.attemptLog.toReversed().map((attempt) => (
          <Timeline.Item
            key={attempt.number}
            bullet={
              attempt.error === null ? <IconCheck size={14} aria-hidden /> : <IconX size={14} aria-hidden />
            }
            color={attempt.error === null ? 'teal.8' : 'red.8'}
            title={`Attempt ${attempt.number}: ${attempt.error === null ? 'accepted' : 'failed'}`}
          >
            <AttemptFacts attempt={attempt} />
          </Timeline.Item>
        ))}
      </Timeline>
    </Panel>
  );
}

function AttemptFacts({ attempt }: { attempt: Attempt }) {
  const { startedAt, durationMs, statusCode, error, responseExcerpt, retryAfterSeconds } = attempt;
  return (
    <Stack gap={4}>
      <Group gap="xs">
        <Text size="sm">
          {statusCode === null ? 'no response' : `status ${statusCode}`}
          {durationMs !== null && ` in ${duration(durationMs)}`}
        </Text>
        <Text size="sm" c="dimmed">
          <Ago at={startedAt} /> · <At at={startedAt} />
        </Text>
      </Group>
      {error !== null && (
        <Text size="sm" className="danger-text breakable">
          {error}
        </Text>
      )}
      {retryAfterSeconds !== null && (
        <Text size="sm">The receiver asked to wait {duration(retryAfterSeconds * 1_000)}</Text>
      )}
      {responseExcerpt !== null && responseExcerpt !== '' && (
        <Stack gap={2}>
          <Text size="xs" c="dimmed">
            Response of the receiver
          </Text>
          <Code block mah={180} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }} tabIndex={0}>
            {responseExcerpt}
          </Code>
        </Stack>
      )}
    </Stack>
  );
}
