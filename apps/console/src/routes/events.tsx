import { Button, Group, Select } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { consoleApi } from '../api/clients.ts';
import { EventStream } from '../engagement/event-stream.tsx';
import { EVENT_TYPES, typeName } from '../engagement/event-words.ts';
import { BY_CURSOR, PagedList } from '../parts/lists/paged-list.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { EmptyScreen } from '../status-screens/empty-screen.tsx';

/** How often the stream polls for new events, in milliseconds. */
const STREAM_MS = 2_000;

/** The parts of the page's state that are in its address. The enumeration of types is open, so any name is allowed. */
export interface EventsSearch {
  type?: string;
}

export const Route = createFileRoute('/events')({
  component: Events,
  validateSearch: ({ type }: Record<string, unknown>): EventsSearch =>
    typeof type === 'string' && type !== '' ? { type } : {},
});

function Events() {
  const { type } = Route.useSearch();
  const navigate = Route.useNavigate();
  const [isPaused, setPaused] = useState(false);
  const list = consoleApi.useInfiniteQuery(
    'get',
    '/engagement/events',
    { params: { query: { order: 'desc', limit: 50, ...(type !== undefined && { types: type }) } } },
    // A paused stream must not change when the window gets the focus or the network comes back.
    { ...BY_CURSOR, refetchInterval: isPaused ? false : STREAM_MS, refetchOnWindowFocus: !isPaused },
  );
  const show = (chosen: string | null) =>
    void navigate({ search: chosen === null ? {} : { type: chosen }, resetScroll: false });
  const choices = EVENT_TYPES.map((value) => ({ value, label: typeName(value) }));
  return (
    <>
      <PageHead
        title="Events"
        actions={
          <Group gap="sm">
            <Select
              aria-label="Type of event"
              placeholder="Any type"
              clearable
              clearButtonProps={{ 'aria-label': 'Any type' }}
              data={
                type === undefined || EVENT_TYPES.includes(type)
                  ? choices
                  : [...choices, { value: type, label: typeName(type) }]
              }
              value={type ?? null}
              onChange={show}
            />
            <Button
              variant="default"
              leftSection={isPaused ? <IconPlayerPlay size={16} /> : <IconPlayerPause size={16} />}
              onClick={() => setPaused(!isPaused)}
            >
              {isPaused ? 'Continue' : 'Pause'}
            </Button>
          </Group>
        }
      >
        {isPaused ? 'Paused: new events appear when you continue.' : 'What prospects do, live.'}
      </PageHead>
      <div className="panel">
        <PagedList
          list={list}
          loading="Loading the events"
          empty={
            type === undefined ? (
              <EmptyScreen title="No events yet">
                An event appears here as soon as a prospect visits a room, watches a recording or opens a
                document.
              </EmptyScreen>
            ) : (
              <EmptyScreen
                title="No event of this type"
                action={
                  <Button variant="light" onClick={() => show(null)}>
                    Show all events
                  </Button>
                }
              >
                Events of other types are hidden.
              </EmptyScreen>
            )
          }
        >
          {(events) => <EventStream key={type ?? ''} events={events} />}
        </PagedList>
      </div>
    </>
  );
}
