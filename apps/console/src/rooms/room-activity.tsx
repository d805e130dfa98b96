import { Text } from '@mantine/core';
import { consoleApi } from '../api/clients.ts';
import { LIVE_MS } from '../api/queries.ts';
import { CallTable } from '../calls/call-table.tsx';
import { EventStream } from '../engagement/event-stream.tsx';
import { BY_CURSOR, PagedList } from '../parts/lists/paged-list.tsx';
import { Panel } from '../parts/panel.tsx';

/** Lists the calls of a room, most recently changed first. */
export function RoomCalls({ roomId }: { roomId: string }) {
  const list = consoleApi.useInfiniteQuery(
    'get',
    '/calls',
    { params: { query: { order: 'desc', limit: 10, buyer_space_id: roomId } } },
    { ...BY_CURSOR, refetchInterval: LIVE_MS },
  );
  return (
    <Panel title="Calls">
      <PagedList
        list={list}
        loading="Loading the calls"
        empty={
          <Text c="dimmed" size="sm">
            No call belongs to this room.
          </Text>
        }
      >
        {(calls) => <CallTable calls={calls} />}
      </PagedList>
    </Panel>
  );
}

/** Lists the events of a room, newest first, with live updates. */
export function RoomEvents({ roomId }: { roomId: string }) {
  const list = consoleApi.useInfiniteQuery(
    'get',
    '/engagement/events',
    { params: { query: { order: 'desc', limit: 10, buyer_space_id: roomId } } },
    { ...BY_CURSOR, refetchInterval: LIVE_MS },
  );
  return (
    <Panel title="Newest events">
      <PagedList
        list={list}
        loading="Loading the events"
        empty={
          <Text c="dimmed" size="sm">
            There has been no activity in this room yet.
          </Text>
        }
      >
        {(events) => <EventStream events={events} isInRoom />}
      </PagedList>
    </Panel>
  );
}
