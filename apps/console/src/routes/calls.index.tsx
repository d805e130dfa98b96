import { Button, Checkbox, Group, SegmentedControl } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { consoleApi } from '../api/clients.ts';
import { LIVE_MS } from '../api/queries.ts';
import { CallTable } from '../calls/call-table.tsx';
import { CALL_KINDS, kindName } from '../calls/call-kinds.ts';
import { BY_CURSOR, PagedList } from '../parts/lists/paged-list.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { EmptyScreen } from '../status-screens/empty-screen.tsx';

/** The parts of the page's state that are in its address. */
export interface CallsSearch {
  kind?: (typeof CALL_KINDS)[number];
  summary?: true;
}

export const Route = createFileRoute('/calls/')({
  component: Calls,
  validateSearch: ({ kind, summary }: Record<string, unknown>): CallsSearch => {
    const known = CALL_KINDS.find((one) => one === kind);
    return { ...(known !== undefined && { kind: known }), ...(summary === true && { summary }) };
  },
});

function Calls() {
  const { kind, summary } = Route.useSearch();
  const navigate = Route.useNavigate();
  const list = consoleApi.useInfiniteQuery(
    'get',
    '/calls',
    {
      params: {
        query: {
          order: 'desc',
          limit: 50,
          ...(kind !== undefined && { kind }),
          ...(summary === true && { has_summary: 'true' }),
        },
      },
    },
    { ...BY_CURSOR, refetchInterval: LIVE_MS },
  );
  const show = (search: CallsSearch) => void navigate({ search, resetScroll: false });
  const withSummary = summary === true ? { summary } : {};
  return (
    <>
      <PageHead
        title="Calls"
        actions={
          <Group gap="md">
            <Checkbox
              label="With a summary"
              checked={summary === true}
              onChange={({ currentTarget: { checked } }) =>
                show({ ...(kind !== undefined && { kind }), ...(checked && { summary: true }) })
              }
            />
            <SegmentedControl
              aria-label="Kind of call"
              size="xs"
              data={[
                { value: 'all', label: 'All' },
                ...CALL_KINDS.map((value) => ({ value: value as string, label: kindName(value) })),
              ]}
              value={kind ?? 'all'}
              onChange={(value) => {
                const chosen = CALL_KINDS.find((one) => one === value);
                show({ ...withSummary, ...(chosen !== undefined && { kind: chosen }) });
              }}
            />
          </Group>
        }
      >
        Recorded calls, most recently changed first.
      </PageHead>
      <div className="panel">
        <PagedList
          list={list}
          loading="Loading the calls"
          empty={
            kind === undefined && summary === undefined ? (
              <EmptyScreen title="No calls yet">
                A call appears here once its recording is captured.
              </EmptyScreen>
            ) : (
              <EmptyScreen
                title="No call matches"
                action={
                  <Button variant="light" onClick={() => show({})}>
                    Show all calls
                  </Button>
                }
              >
                There may be calls of another kind, or without a summary.
              </EmptyScreen>
            )
          }
        >
          {(calls) => <CallTable calls={calls} />}
        </PagedList>
      </div>
    </>
  );
}
