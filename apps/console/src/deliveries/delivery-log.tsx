import { Button, Center, Stack } from '@mantine/core';
import { useWindowScroll } from '@mantine/hooks';
import { IconArrowUp } from '@tabler/icons-react';
import { RowsLoading } from '../parts/lists/rows-loading.tsx';
import { EmptyScreen } from '../status-screens/empty-screen.tsx';
import { FailedScreen } from '../status-screens/failed-screen.tsx';
import { type DeliverySearch, isFiltered } from './delivery-search.ts';
import { DeliveryTable } from './delivery-table.tsx';
import './delivery-log.css';
import { useDeliveryLog, useHeldBack } from './use-delivery-log.ts';

/** The scroll position, in pixels, beyond which new rows are held back. */
const READING_FROM = 160;

/** Shows the deliveries that match the filters, newest first, with live updates. */
export function DeliveryLog({ search, clear }: { search: DeliverySearch; clear: () => void }) {
  const log = useDeliveryLog(search);
  const [{ y }, scrollTo] = useWindowScroll();
  const { shown, heldBack } = useHeldBack(log.newRows, y > READING_FROM, JSON.stringify(search));
  const rows = [...shown, ...log.oldRows];
  // While loading, shows placeholders only: the newest row alone would move a moment later.
  if (log.isLoading) return <RowsLoading label="Loading the deliveries" rows={8} />;
  if (rows.length === 0) {
    if (log.error !== null) return <FailedScreen error={log.error} retry={log.readAgain} />;
    if (isFiltered(search)) {
      return (
        <EmptyScreen
          title="No delivery matches"
          action={
            <Button variant="light" onClick={clear}>
              Clear all filters
            </Button>
          }
        >
          No delivery matches all of these filters. New deliveries that match appear here automatically.
        </EmptyScreen>
      );
    }
    return (
      <EmptyScreen title="No deliveries yet">
        When something happens in a deal, each endpoint that subscribes to the event gets a delivery. New
        deliveries appear here automatically.
      </EmptyScreen>
    );
  }
  return (
    <Stack gap="md">
      <div role="status" className={heldBack > 0 ? 'new-rows' : undefined}>
        {heldBack > 0 && (
          <Button
            size="xs"
            radius="xl"
            leftSection={<IconArrowUp size={14} aria-hidden />}
            onClick={() => scrollTo({ y: 0 })}
          >
            {heldBack} new
          </Button>
        )}
      </div>
      <DeliveryTable deliveries={rows} />
      {log.hasMore && (
        <Center>
          <Button variant="default" loading={log.isLoadingMore} onClick={log.loadMore}>
            Show more
          </Button>
        </Center>
      )}
    </Stack>
  );
}
