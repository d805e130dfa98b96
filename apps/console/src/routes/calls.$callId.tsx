import { Grid, Group, Stack, Text } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { consoleApi } from '../api/clients.ts';
import { unlessGone } from '../api/failures.ts';
import { LIVE_MS } from '../api/queries.ts';
import { CallFacts } from '../calls/call-facts.tsx';
import { kindName } from '../calls/call-kinds.ts';
import { CallState, callTitle } from '../calls/call-words.tsx';
import { Participants } from '../calls/participants.tsx';
import { SummaryPanel } from '../calls/summary.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { WebhookLinks } from '../parts/values/webhook-links.tsx';

export const Route = createFileRoute('/calls/$callId')({ component: CallPage });

function CallPage() {
  const { callId } = Route.useParams();
  const { data: call } = unlessGone(
    consoleApi.useSuspenseQuery(
      'get',
      '/calls/{id}',
      { params: { path: { id: callId } } },
      { refetchInterval: LIVE_MS },
    ),
  );
  return (
    <>
      <PageHead title={callTitle(call)} actions={<WebhookLinks call_id={call.id} />}>
        <Group gap="sm">
          <CallState status={call.status} />
          <Text size="sm">{kindName(call.kind)}</Text>
        </Group>
      </PageHead>
      <Grid gap="md">
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <SummaryPanel call={call} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <Stack gap="md">
            <CallFacts call={call} />
            <Participants call={call} />
          </Stack>
        </Grid.Col>
      </Grid>
    </>
  );
}
