import { createFileRoute } from '@tanstack/react-router';
import { managementApi } from '../api/clients.ts';
import { queries } from '../api/queries.ts';
import { hostOf } from '../endpoints/endpoint.ts';
import { changeOf, draftOf } from '../endpoints/endpoint-draft.ts';
import { EndpointForm } from '../endpoints/endpoint-form.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { FailedScreen } from '../screens/failed-screen.tsx';
import { LoadingScreen } from '../screens/loading-screen.tsx';
import { NotFoundScreen } from '../screens/not-found-screen.tsx';
import { PageButton } from '../parts/page-links.tsx';

export const Route = createFileRoute('/endpoints/$endpointId/change')({ component: ChangeEndpoint });

function ChangeEndpoint() {
  const { endpointId } = Route.useParams();
  const navigate = Route.useNavigate();
  const list = managementApi.useQuery('get', '/webhooks');
  const leave = () => void navigate({ to: '/endpoints/$endpointId', params: { endpointId } });
  const { mutate, error, isPending, reset } = managementApi.useMutation('patch', '/webhooks/{id}', {
    onSuccess: () => {
      void queries.invalidateQueries();
      leave();
    },
  });
  if (list.data === undefined) {
    if (list.error === null) return <LoadingScreen />;
    return <FailedScreen error={list.error} retry={() => void list.refetch()} />;
  }
  const endpoint = list.data.data.find(({ id }) => String(id) === endpointId);
  if (endpoint === undefined) return <NotFoundScreen />;
  return (
    <>
      <PageHead title={`Change ${hostOf(endpoint.url)}`}>
        Changes apply to every attempt from now on, including those of deliveries that wait.
      </PageHead>
      <EndpointForm
        initial={draftOf(endpoint)}
        endpointId={endpoint.id}
        types={list.data.eventTypes}
        action="Save"
        cancel={
          <PageButton variant="default" to="/endpoints/$endpointId" params={{ endpointId }}>
            Cancel
          </PageButton>
        }
        error={error}
        isPending={isPending}
        onEdit={reset}
        submit={(draft) => {
          const change = changeOf(endpoint, draft);
          if (Object.keys(change).length === 0) leave();
          else mutate({ params: { path: { id: endpoint.id } }, body: change });
        }}
      />
    </>
  );
}
