import { Code, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { CopyIcon } from '../parts/values/copy-text.tsx';
import { Facts } from '../parts/values/facts.tsx';
import { Ago, At } from '../parts/values/time.tsx';
import { count } from '../text/numbers.ts';
import type { Endpoint } from './endpoint.ts';

/** Shows the configuration of an endpoint, and its latest results. */
export function EndpointFacts({ endpoint }: { endpoint: Endpoint }) {
  const {
    url,
    description,
    events,
    filter,
    headerNames,
    maxPerMinute,
    lastSuccessAt,
    lastErrorAt,
    lastError,
  } = endpoint;
  const { previousSecretExpiresAt: oldSecretEnd } = endpoint;
  return (
    <Facts
      facts={[
        [
          'URL',
          <Group gap={4} wrap="nowrap" key="url">
            <Text size="sm" ff="monospace" className="breakable">
              {url}
            </Text>
            <CopyIcon text={url} what="the URL" />
          </Group>,
        ],
        ['Description', description],
        [
          'Events',
          events.includes('*') ? 'All, including event types that are added in the future' : codes(events),
        ],
        [
          'Filter',
          filter === null ? (
            'none: all of these events are sent'
          ) : (
            <Code block key="filter">
              {JSON.stringify(filter, null, 2)}
            </Code>
          ),
        ],
        ['Custom headers', headerNames.length === 0 ? 'none' : codes(headerNames)],
        [
          'Rate limit',
          maxPerMinute === null
            ? 'no limit'
            : `at most ${count(maxPerMinute)} ${maxPerMinute === 1 ? 'delivery' : 'deliveries'} a minute`,
        ],
        ['Retry-After', endpoint.honorRetryAfter ? 'honored after a 429 or 503' : 'not honored'],
        [
          'Old signing secret',
          oldSecretEnd === null || Date.parse(oldSecretEnd) <= Date.now() ? null : (
            <>
              also signs events until <At at={oldSecretEnd} />
            </>
          ),
        ],
        ['Last success', lastSuccessAt === null ? 'never' : <Ago at={lastSuccessAt} />],
        [
          'Last failure',
          lastErrorAt === null ? (
            'never'
          ) : (
            <>
              <Ago at={lastErrorAt} />
              {lastError !== null && `: ${lastError}`}
            </>
          ),
        ],
        [
          'Registered',
          <>
            <At at={endpoint.createdAt} />
            {endpoint.apiKeyId !== null && ` by API key ${endpoint.apiKeyId}`}
          </>,
        ],
      ]}
    />
  );
}

function codes(names: readonly string[]): ReactNode {
  return (
    <Group gap={4}>
      {names.map((name) => (
        <Code key={name}>{name}</Code>
      ))}
    </Group>
  );
}
