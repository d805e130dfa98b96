import { Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { consoleApi } from '../api/clients.ts';
import { unlessGone } from '../api/failures.ts';
import { LIVE_MS } from '../api/queries.ts';
import { PageHead } from '../parts/page-head.tsx';
import { WebhookLinks } from '../parts/values/webhook-links.tsx';
import { Documents } from '../rooms/documents.tsx';
import { Progress } from '../rooms/progress.tsx';
import { Recordings } from '../rooms/recordings.tsx';
import { RoomCalls, RoomEvents } from '../rooms/room-activity.tsx';
import { RoomFacts } from '../rooms/room-facts.tsx';
import { RoomState } from '../rooms/room-status.tsx';
import { ScorePanel } from '../rooms/score.tsx';
import { ShareLinks } from '../rooms/share-links.tsx';
import { Stakeholders } from '../rooms/stakeholders.tsx';

export const Route = createFileRoute('/rooms/$roomId')({ component: RoomPage });

function RoomPage() {
  const { roomId } = Route.useParams();
  const { data: metrics } = unlessGone(
    consoleApi.useSuspenseQuery(
      'get',
      '/decision-rooms/{id}/metrics',
      { params: { path: { id: roomId } } },
      { refetchInterval: LIVE_MS },
    ),
  );
  const { room } = metrics;
  return (
    <>
      <PageHead title={room.name} actions={<WebhookLinks buyer_space_id={room.id} />}>
        <Group gap="sm">
          <RoomState status={room.status} />
          {room.owner?.name != null && <Text size="sm">{room.owner.name}</Text>}
        </Group>
      </PageHead>
      <Stack gap="md">
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
          <ScorePanel metrics={metrics} />
          <RoomFacts metrics={metrics} />
        </SimpleGrid>
        <Stakeholders people={metrics.stakeholders} />
        <Recordings recordings={metrics.trailers} />
        <ShareLinks roomId={room.id} />
        <Documents documents={metrics.assets} />
        <Progress metrics={metrics} />
        <RoomCalls roomId={room.id} />
        <RoomEvents roomId={room.id} />
      </Stack>
    </>
  );
}
