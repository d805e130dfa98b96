import { Group, Skeleton, Stack, Text } from '@mantine/core';
import { consoleApi } from '../api/clients.ts';
import type { components } from '../api/generated/console.ts';
import { BY_CURSOR, PagedList } from '../parts/lists/paged-list.tsx';
import { Panel } from '../parts/panel.tsx';
import { CallLink } from '../parts/values/object-links.tsx';
import { Ago } from '../parts/values/time.tsx';
import { count } from '../text/numbers.ts';
import { lasting } from '../text/play-time.ts';
import { HeatLegend, HeatStrip, inWords } from './heat-strip.tsx';

type Link = components['schemas']['Distribution'];

/** Lists the share links of a room, each with its heat-map. */
export function ShareLinks({ roomId }: { roomId: string }) {
  const list = consoleApi.useInfiniteQuery(
    'get',
    '/distributions',
    { params: { query: { buyer_space_id: roomId, limit: 6 } } },
    BY_CURSOR,
  );
  return (
    <Panel title="Share links" aside={<HeatLegend />}>
      <PagedList
        list={list}
        loading="Loading the share links"
        empty={
          <Text c="dimmed" size="sm">
            Nothing has been shared from this room yet.
          </Text>
        }
      >
        {(links) => (
          <Stack gap="lg" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
            {links.map((link) => (
              <li key={link.id}>
                <ShareLink link={link} />
              </li>
            ))}
          </Stack>
        )}
      </PagedList>
    </Panel>
  );
}

function ShareLink({ link }: { link: Link }) {
  return (
    <Stack gap={6}>
      <Group gap="xs">
        <Text size="sm" fw={600} className="breakable" title={link.recipient.email ?? undefined}>
          {link.recipient.name ?? link.recipient.email ?? 'No recipient'}
        </Text>
        {link.forwardedFromDistributionId !== null && (
          <Text size="sm" c="dimmed">
            forwarded link
          </Text>
        )}
      </Group>
      {link.demoId === null ? (
        <Text size="sm" c="dimmed">
          Documents only
        </Text>
      ) : (
        <>
          <CallLink id={link.demoId} />
          <Heat linkId={link.id} />
        </>
      )}
    </Stack>
  );
}

function Heat({ linkId }: { linkId: string }) {
  const { data, error } = consoleApi.useQuery('get', '/distributions/{id}/heatmap', {
    params: { path: { id: linkId } },
  });
  if (data === undefined) {
    return error === null ? (
      <Skeleton height={46} />
    ) : (
      <Text size="sm" className="danger-text">
        The heat-map could not be loaded.
      </Text>
    );
  }
  const { views, watchSeconds, bestCompletionPercent, lastViewedAt, buckets, durationSeconds } = data.data;
  if (views === 0) {
    return (
      <Text size="xs" c="dimmed">
        Not opened yet.
      </Text>
    );
  }
  return (
    <div>
      <HeatStrip heatmap={data.data} />
      <Text size="xs" c="dimmed" component="div" mt={4}>
        {count(views)} {views === 1 ? 'view' : 'views'}, {lasting(watchSeconds)} watched,{' '}
        {bestCompletionPercent}% seen
        {lastViewedAt !== null && (
          <>
            , last <Ago at={lastViewedAt} />
          </>
        )}
        . {durationSeconds !== null && buckets.length > 0 && inWords(buckets, durationSeconds)}
      </Text>
    </div>
  );
}
