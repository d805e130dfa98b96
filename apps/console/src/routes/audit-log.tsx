import { Button } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { useCallback } from 'react';
import { consoleApi } from '../api/clients.ts';
import { LIVE_MS } from '../api/queries.ts';
import { AuditFilters } from '../audit/audit-filters.tsx';
import { auditQuery, readAuditSearch } from '../audit/audit-search.ts';
import { AuditTable } from '../audit/audit-table.tsx';
import { BY_CURSOR, PagedList } from '../parts/lists/paged-list.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { EmptyScreen } from '../status-screens/empty-screen.tsx';

export const Route = createFileRoute('/audit-log')({
  component: AuditLog,
  validateSearch: readAuditSearch,
});

function AuditLog() {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const list = consoleApi.useInfiniteQuery(
    'get',
    '/audit-log',
    { params: { query: { order: 'desc', limit: 50, ...auditQuery(search) } } },
    { ...BY_CURSOR, refetchInterval: LIVE_MS },
  );
  const change = useCallback(
    (filters: Record<string, unknown>) =>
      void navigate({ search: (before) => readAuditSearch({ ...before, ...filters }), resetScroll: false }),
    [navigate],
  );
  const clear = () => void navigate({ search: {}, resetScroll: false });
  return (
    <>
      <PageHead title="Audit log">
        Who changed what, whose requests were refused, and from where, newest first.
      </PageHead>
      <div className="panel">
        <AuditFilters search={search} change={change} clear={clear} />
        <PagedList
          list={list}
          loading="Loading the audit log"
          empty={
            Object.keys(search).length === 0 ? (
              <EmptyScreen title="Nothing has been recorded yet">
                A record appears here when a user creates a key, changes an endpoint or is refused.
              </EmptyScreen>
            ) : (
              <EmptyScreen
                title="No record matches"
                action={
                  <Button variant="light" onClick={clear}>
                    Clear all filters
                  </Button>
                }
              >
                No record matches all of these filters.
              </EmptyScreen>
            )
          }
        >
          {(records) => <AuditTable records={records} />}
        </PagedList>
      </div>
    </>
  );
}
