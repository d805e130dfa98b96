import { Group, Stack, Text } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { integrationApi } from '../api/clients.ts';
import { EndpointForm } from '../endpoints/forms/endpoint-form.tsx';
import { EMPTY_DRAFT, toNewEndpoint } from '../endpoints/forms/endpoint-draft.ts';
import { endpointHost } from '../endpoints/endpoint.ts';
import { PingPanel } from '../endpoints/forms/ping-panel.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { ShownOnce } from '../parts/forms/shown-once.tsx';
import { PageButton } from '../parts/lists/page-links.tsx';

export const Route = createFileRoute('/endpoints/new')({ component: NewEndpoint });

function NewEndpoint() {
  const { data: list } = integrationApi.useSuspenseQuery('get', '/webhooks');
  const request = integrationApi.useMutation('post', '/webhooks');
  if (request.isSuccess) {
    const { secret, data: endpoint } = request.data;
    return (
      <>
        <PageHead title="Endpoint registered">
          {endpointHost(endpoint.url)} receives events from now on.
        </PageHead>
        <Stack className="panel" maw="46rem" gap="lg">
          <ShownOnce what="Signing secret" secret={secret}>
            Give it to the receiver, which uses it to verify that events come from here. If it is lost, rotate
            it: it cannot be shown again.
          </ShownOnce>
          <Text size="sm">
            Send a test event to check that the receiver accepts signatures of this secret.
          </Text>
          <PingPanel endpointId={endpoint.id} />
          <Group>
            <PageButton
              variant="default"
              to="/endpoints/$endpointId"
              params={{ endpointId: String(endpoint.id) }}
            >
              Go to the endpoint
            </PageButton>
          </Group>
        </Stack>
      </>
    );
  }
  return (
    <>
      <PageHead title="Add an endpoint">
        A URL of yours that receives an event within seconds of each change in a deal.
      </PageHead>
      <EndpointForm
        initial={EMPTY_DRAFT}
        endpointId={null}
        types={list.eventTypes}
        action="Add the endpoint"
        cancel={
          <PageButton variant="default" to="/endpoints">
            Cancel
          </PageButton>
        }
        request={request}
        submit={(draft) => request.mutate({ body: toNewEndpoint(draft) })}
      />
    </>
  );
}
