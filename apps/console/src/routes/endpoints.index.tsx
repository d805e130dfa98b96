import { IconPlus } from '@tabler/icons-react';
import { createFileRoute } from '@tanstack/react-router';
import { integrationApi } from '../api/clients.ts';
import { LIVE_MS } from '../api/queries.ts';
import { EndpointTable } from '../endpoints/endpoint-table.tsx';
import { SourceAddresses } from '../endpoints/source-addresses.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { EmptyScreen } from '../status-screens/empty-screen.tsx';
import { PageButton } from '../parts/lists/page-links.tsx';

export const Route = createFileRoute('/endpoints/')({ component: Endpoints });

function Endpoints() {
  const { data: endpoints } = integrationApi.useSuspenseQuery(
    'get',
    '/webhooks',
    {},
    { refetchInterval: LIVE_MS },
  ).data;
  const isEmpty = endpoints.length === 0;
  const add = (
    <PageButton to="/endpoints/new" leftSection={<IconPlus size={16} />}>
      Add an endpoint
    </PageButton>
  );
  return (
    <>
      <PageHead title="Endpoints" actions={isEmpty ? undefined : add}>
        The URLs that receive webhooks, and their health in the last 24 hours.
      </PageHead>
      <div className="panel">
        {isEmpty ? (
          <EmptyScreen title="No endpoint yet" action={add}>
            Add the URL of one of your systems, such as a CRM. It then receives an event for everything that
            happens in a deal.
          </EmptyScreen>
        ) : (
          <EndpointTable endpoints={endpoints} />
        )}
      </div>
      <SourceAddresses />
    </>
  );
}
