import { Stack } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { consoleApi } from '../api/clients.ts';
import { LIVE_MS } from '../api/queries.ts';
import { EraseForm } from '../erasures/erase-form.tsx';
import { ErasureTable } from '../erasures/erasure-table.tsx';
import '../erasures/erasures.css';
import { Loaded } from '../parts/lists/loaded.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { RowsLoading } from '../parts/lists/rows-loading.tsx';
import { EmptyScreen } from '../status-screens/empty-screen.tsx';

export const Route = createFileRoute('/erasures')({ component: Erasures });

function Erasures() {
  return (
    <>
      <PageHead title="Erasures">
        Erases a person or a room here, and in the copies of consumers that follow the feed of erasures.
      </PageHead>
      <Stack gap="lg">
        <div className="panel">
          <EraseForm />
        </div>
        <div className="panel">
          <Loaded outline={<RowsLoading label="Loading the erasures" />}>
            <Latest />
          </Loaded>
        </div>
      </Stack>
    </>
  );
}

function Latest() {
  const { data } = consoleApi.useSuspenseQuery('get', '/erasures', {}, { refetchInterval: LIVE_MS }).data;
  return data.length === 0 ? (
    <EmptyScreen title="No erasures yet">
      Each erasure is listed with its time, but not with the identity of the person.
    </EmptyScreen>
  ) : (
    <ErasureTable erasures={data} />
  );
}
