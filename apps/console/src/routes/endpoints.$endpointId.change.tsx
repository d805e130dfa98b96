import { createFileRoute } from '@tanstack/react-router';
import { integrationApi } from '../api/clients.ts';
import { endpointHost } from '../endpoints/endpoint.ts';
import { diffDraft, toDraft } from '../endpoints/forms/endpoint-draft.ts';
import { EndpointForm } from '../endpoints/forms/endpoint-form.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { NotFoundScreen } from '../status-screens/not-found-screen.tsx';
import { PageButton } from '../parts/lists/page-links.tsx';

export const Route = createFileRoute('/endpoints/$endpointId/change')({ component: ChangeEndpoint });

function ChangeEndpoint() {
  const { endpointId } = Route.useParams();
  const navigate = Route.useNavigate();
  const { data: list } = integrationApi.useSuspenseQuery('get', '/webhooks');
  const leave = () => void navigate({ to: '/endpoints/$endpointId', params: { endpointId } });
  const request = integrationApi.useMutation('patch', '/webhooks/{id}', { onSuccess: leave });
  const endpoint = list.data.find(({ id }) => String(id) === endpointId);
  if (endpoint === undefined) return <NotFoundScreen />;
  return (
    <>
      <PageHead title={`Change ${endpointHost(endpoint.url)}`}>
        Changes apply to every attempt from now on, including those of waiting deliveries.
      </PageHead>
      <EndpointForm
        initial={toDraft(endpoint)}
        endpointId={endpoint.id}
        types={list.eventTypes}
        action="Save"
        cancel={
          <PageButton variant="default" to="/endpoints/$endpointId" params={{ endpointId }}>
            Cancel
          </PageButton>
        }
        request={request}
        submit={(draft) => {
          const change = diffDraft(endpoint, draft);
          if (Object.keys(change).length === 0) leave();
          else request.mutate({ params: { path: { id: endpoint.id } }, body: change });
        }}
      />
    </>
  );
}
