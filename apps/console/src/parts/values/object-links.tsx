import { Text } from '@mantine/core';
import { consoleApi, integrationApi } from '../../api/clients.ts';
import { endpointHost, endpointPath } from '../../endpoints/endpoint.ts';
import { PageLink } from '../lists/page-links.tsx';

/** Names change rarely, so each is read once per page. */
const NAMED = { staleTime: Number.POSITIVE_INFINITY, retry: false } as const;

/** Returns the name of a room; undefined while loading, or if the room no longer exists. */
export function useRoomName(id: string | null | undefined): string | undefined {
  const { data } = consoleApi.useQuery(
    'get',
    '/decision-rooms/{id}',
    { params: { path: { id: id ?? '' } } },
    { ...NAMED, enabled: id != null },
  );
  return data?.data.name;
}

/** Returns the title of a call, or the name of the prospect; undefined while loading, or if the call no longer exists. */
export function useCallName(id: string | null | undefined): string | undefined {
  const { data } = consoleApi.useQuery(
    'get',
    '/calls/{id}',
    { params: { path: { id: id ?? '' } } },
    { ...NAMED, enabled: id != null },
  );
  return data === undefined ? undefined : (data.data.title ?? data.data.prospectName ?? 'Untitled call');
}

/** A link to the page of a room, with its name. */
export function RoomLink({ id }: { id: string }) {
  const name = useRoomName(id);
  const page: string = `/rooms/${id}`;
  return (
    <PageLink to={page} className="breakable">
      {name ?? shortId(id)}
    </PageLink>
  );
}

/** A link to the page of a call, with its title. */
export function CallLink({ id }: { id: string }) {
  const name = useCallName(id);
  const page: string = `/calls/${id}`;
  return (
    <PageLink to={page} className="breakable">
      {name ?? shortId(id)}
    </PageLink>
  );
}

/** A link to the room of a delivery or, without one, to its call. */
export function AboutLink({ buyerSpaceId, callId }: { buyerSpaceId: string | null; callId: string | null }) {
  if (buyerSpaceId !== null) return <RoomLink id={buyerSpaceId} />;
  return callId === null ? <Text size="sm">–</Text> : <CallLink id={callId} />;
}

interface EndpointLinkProps {
  id: number;
  /** Also shows the path after the host. */
  isWhole?: boolean;
}

/** A link to the page of an endpoint, with its host. A removed endpoint has no page. */
export function EndpointLink({ id, isWhole = false }: EndpointLinkProps) {
  const { data } = integrationApi.useQuery('get', '/webhooks', {}, { staleTime: 30_000 });
  const endpoint = data?.data.find((one) => one.id === id);
  if (endpoint === undefined) {
    return <Text size="sm">{data === undefined ? `Endpoint ${id}` : `Endpoint ${id}, removed`}</Text>;
  }
  return (
    <PageLink
      to="/endpoints/$endpointId"
      params={{ endpointId: String(id) }}
      className="host breakable"
      title={endpoint.url}
    >
      {endpointHost(endpoint.url)}
      {isWhole && endpointPath(endpoint.url)}
    </PageLink>
  );
}

function shortId(id: string): string {
  return `${id.slice(0, 8)} …`;
}
