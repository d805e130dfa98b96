import { Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { CardTable } from '../parts/lists/card-table.tsx';
import { Sign } from '../parts/values/sign.tsx';
import { Ago } from '../parts/values/time.tsx';
import { type AlertChannel, eventName, kindName } from './alert-words.ts';
import { ChannelActions } from './channel-actions.tsx';

/** The alert channels, with the result of the last message to each. */
export function ChannelTable({ channels }: { channels: readonly AlertChannel[] }) {
  return (
    <CardTable
      caption="Alert channels"
      rows={channels}
      keyOf={({ id }) => id}
      columns={{
        Channel: ({ kind, host, description }) => (
          <Stack gap={0}>
            <Text size="sm" fw={600} className="breakable">
              {description ?? kindName(kind)}
            </Text>
            <Text size="xs" c="dimmed" className="breakable">
              {kindName(kind)} at {host}
            </Text>
          </Stack>
        ),
        Events: ({ events }) => (
          <Stack gap={0}>
            {events.map((event) => (
              <Text key={event} size="sm">
                {eventName(event)}
              </Text>
            ))}
          </Stack>
        ),
        'Last message': LastMessage,
        Actions: (channel) => (
          <Group gap="xs">
            <ChannelActions channel={channel} />
          </Group>
        ),
      }}
    />
  );
}

function LastMessage({ lastSentAt, lastErrorAt, lastError }: AlertChannel) {
  if (lastError !== null && lastErrorAt !== null) {
    return (
      <Stack gap={0}>
        <Sign color="orange.6" tone="warning" icon={<IconAlertTriangle size={16} />}>
          Not accepted <Ago at={lastErrorAt} />
        </Sign>
        <Text size="xs" c="dimmed" className="breakable">
          {lastError}
        </Text>
      </Stack>
    );
  }
  if (lastSentAt === null) return <Text size="sm">none yet</Text>;
  return (
    <Sign color="teal.6" icon={<IconCircleCheck size={16} />}>
      Accepted <Ago at={lastSentAt} />
    </Sign>
  );
}
