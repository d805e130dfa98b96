import { Alert, Group, Stack, Text, Title } from '@mantine/core';
import { useDeferredValue, useMemo } from 'react';
import { consoleApi, integrationApi } from '../api/clients.ts';
import { unlessGone } from '../api/failures.ts';
import { LIVE_MS } from '../api/queries.ts';
import { Loaded } from '../parts/lists/loaded.tsx';
import { PageButton, PageLink } from '../parts/lists/page-links.tsx';
import { RowsLoading } from '../parts/lists/rows-loading.tsx';
import { At } from '../parts/values/time.tsx';
import { EmptyScreen } from '../status-screens/empty-screen.tsx';
import { EndpointAnswer } from './endpoint-answer.tsx';
import { Evidence } from './evidence.tsx';
import { Happened } from './happened.tsx';
import { summarize, type Why } from './sentences.ts';
import { whyQuery, type WhySearch } from './why-search.ts';

/** Shows the explanation, or how to get one. */
export function Answers({ search }: { search: WhySearch }) {
  const key = JSON.stringify(search);
  const query = useMemo(() => whyQuery(JSON.parse(key) as WhySearch, new Date()), [key]);
  // Keeps the previous explanation until the next one is loaded.
  const shown = useDeferredValue(query);
  if (query === null) {
    return (
      <div className="panel">
        <EmptyScreen title="What are you missing?">
          Give the name of a room or of a call, or paste the id of an event or a delivery. The answer shows
          the outcome at each endpoint.
        </EmptyScreen>
      </div>
    );
  }
  return (
    <Loaded outline={<RowsLoading label="Looking for the reason" rows={3} height={90} />}>
      <Explanation query={shown ?? query} />
    </Loaded>
  );
}

function Explanation({ query }: { query: NonNullable<ReturnType<typeof whyQuery>> }) {
  const { data: why } = unlessGone(
    consoleApi.useSuspenseQuery('get', '/why', { params: { query } }, { refetchInterval: LIVE_MS }),
  );
  const { data: endpoints } = integrationApi.useQuery('get', '/webhooks', {}, { refetchInterval: LIVE_MS });
  const { object, since, until, lookedBackTo, workspaceChanges } = why;
  return (
    <Stack gap="md">
      <section className="panel" aria-labelledby="summary" aria-live="polite">
        <Title order={2} id="summary" className="breakable">
          {object.title ?? `${object.kind} ${object.id}`}
        </Title>
        <Text size="lg">{summarize(why)}</Text>
        <Text size="sm" c="dimmed">
          From <At at={since} /> to <At at={until} />
        </Text>
        <Happened happened={why.happened} />
        <Group gap="md" mt="sm">
          {object.callId !== null && (
            <PageLink to="/calls/$callId" params={{ callId: object.callId }}>
              Open the call
            </PageLink>
          )}
          {object.roomId !== null && object.callId === null && (
            <PageLink to="/rooms/$roomId" params={{ roomId: object.roomId }}>
              Open the room
            </PageLink>
          )}
          <PageLink to="/deliveries" search={deliverySearch(object)}>
            All of its deliveries
          </PageLink>
        </Group>
        {why.code === 'no_endpoint' && (
          <PageButton to="/endpoints/new" mt="sm">
            Add an endpoint
          </PageButton>
        )}
      </section>
      {lookedBackTo !== null && (
        <Alert color="blue" title="There are more events than were checked">
          Only events since <At at={lookedBackTo} /> were checked. Choose a shorter period to see the rest.
        </Alert>
      )}
      {why.endpoints.map((one) => (
        <EndpointAnswer
          key={`${object.id} ${one.endpoint.id}`}
          why={one}
          endpoint={endpoints?.data.find(({ id }) => id === one.endpoint.id)}
        />
      ))}
      {workspaceChanges.length > 0 && (
        <section className="panel" aria-labelledby="workspace">
          <Title order={3} size="sm" id="workspace">
            When the API was switched off and on for the workspace
          </Title>
          <Evidence deliveries={[]} changes={workspaceChanges} />
        </section>
      )}
    </Stack>
  );
}

function deliverySearch({ kind, id, eventId }: Why['object']) {
  if (kind === 'room') return { buyer_space_id: id };
  if (kind === 'call') return { call_id: id };
  return eventId === null ? {} : { event_id: eventId };
}
