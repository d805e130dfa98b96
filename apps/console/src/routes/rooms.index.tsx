import { Button, SegmentedControl } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { consoleApi } from '../api/clients.ts';
import { LIVE_MS } from '../api/queries.ts';
import { BY_CURSOR, PagedList } from '../parts/lists/paged-list.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { ROOM_STATUSES, type RoomStatus, statusName } from '../rooms/room-status.tsx';
import { RoomTable } from '../rooms/room-table.tsx';
import { EmptyScreen } from '../status-screens/empty-screen.tsx';

/** The parts of the page's state that are in its address. */
export interface RoomsSearch {
  status?: RoomStatus;
}

export const Route = createFileRoute('/rooms/')({
  component: Rooms,
  validateSearch: ({ status }: Record<string, unknown>): RoomsSearch => {
    const known = ROOM_STATUSES.find((state) => state === status);
    return known === undefined ? {} : { status: known };
  },
});

function Rooms() {
  const { status } = Route.useSearch();
  const navigate = Route.useNavigate();
  const list = consoleApi.useInfiniteQuery(
    'get',
    '/decision-rooms',
    { params: { query: { order: 'desc', limit: 50, ...(status !== undefined && { status }) } } },
    { ...BY_CURSOR, refetchInterval: LIVE_MS },
  );
  const show = (chosen: RoomStatus | undefined) =>
    void navigate({ search: chosen === undefined ? {} : { status: chosen }, resetScroll: false });
  return (
    <>
      <PageHead
        title="Rooms"
        actions={
          <SegmentedControl
            aria-label="Status of the rooms"
            size="xs"
            data={[
              { value: 'all', label: 'All' },
              ...ROOM_STATUSES.map((value) => ({ value: value as string, label: statusName(value) })),
            ]}
            value={status ?? 'all'}
            onChange={(value) => show(ROOM_STATUSES.find((state) => state === value))}
          />
        }
      >
        Every deal with its engagement score, most recently changed first. Engagement counts as a change.
      </PageHead>
      <div className="panel">
        <PagedList
          list={list}
          loading="Loading the rooms"
          empty={
            status === undefined ? (
              <EmptyScreen title="No rooms yet">
                A Decision Room appears here as soon as a seller creates it.
              </EmptyScreen>
            ) : (
              <EmptyScreen
                title={`No room is ${status}`}
                action={
                  <Button variant="light" onClick={() => show(undefined)}>
                    Show all rooms
                  </Button>
                }
              >
                Rooms with another status are hidden.
              </EmptyScreen>
            )
          }
        >
          {(rooms) => <RoomTable rooms={rooms} />}
        </PagedList>
      </div>
    </>
  );
}
