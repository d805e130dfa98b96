import { Stack, Text } from '@mantine/core';
import { PageLink } from '../parts/lists/page-links.tsx';
import { type Endpoint, endpointHost, endpointPath } from './endpoint.ts';

/** Shows the host of an endpoint as a link to its page, with the rest of its URL and its description. */
export function EndpointName({ endpoint }: { endpoint: Endpoint }) {
  const path = endpointPath(endpoint.url);
  return (
    <Stack gap={0}>
      <PageLink
        to="/endpoints/$endpointId"
        params={{ endpointId: String(endpoint.id) }}
        fw={600}
        size="sm"
        className="breakable"
      >
        {endpointHost(endpoint.url)}
      </PageLink>
      {path !== '' && (
        <Text size="xs" ff="monospace" c="dimmed" lineClamp={1} style={{ wordBreak: 'break-all' }}>
          {path}
        </Text>
      )}
      {endpoint.description !== null && (
        <Text size="sm" c="dimmed" fw={400} lineClamp={1}>
          {endpoint.description}
        </Text>
      )}
    </Stack>
  );
}
