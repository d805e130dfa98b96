import { Code, Group, Text } from '@mantine/core';
import './facts.css';
import { CopyIcon } from '../parts/copy-text.tsx';
import { Ago, At } from '../parts/time.tsx';
import { count } from '../text/numbers.ts';
import type { Endpoint } from './endpoint.ts';

/** How an endpoint is configured, and when it last responded how. */
export function EndpointFacts({ endpoint }: { endpoint: Endpoint }) {
  const { url, description, events, headerNames, maxPerMinute, lastSuccessAt, lastErrorAt, lastError } =
    endpoint;
  const { previousSecretExpiresAt: oldSecretEnd } = endpoint;
  return (
    <dl className="facts">
      <dt>URL</dt>
      <dd>
        <Group gap={4} wrap="nowrap">
          <Text size="sm" ff="monospace" className="breakable">
            {url}
          </Text>
          <CopyIcon text={url} what="the URL" />
        </Group>
      </dd>
      {description !== null && (
        <>
          <dt>Description</dt>
          <dd className="breakable">{description}</dd>
        </>
      )}
      <dt>Events</dt>
      <dd>
        {events.includes('*') ? (
          'All, including event types that are added in the future'
        ) : (
          <Group gap={4}>
            {events.map((name) => (
              <Code key={name}>{name}</Code>
            ))}
          </Group>
        )}
      </dd>
      <dt>Custom headers</dt>
      <dd>
        {headerNames.length === 0 ? (
          'none'
        ) : (
          <Group gap={4}>
            {headerNames.map((name) => (
              <Code key={name}>{name}</Code>
            ))}
          </Group>
        )}
      </dd>
      <dt>Pace</dt>
      <dd>{maxPerMinute === null ? 'no limit' : `at most ${count(maxPerMinute)} deliveries a minute`}</dd>
      {oldSecretEnd !== null && Date.parse(oldSecretEnd) > Date.now() && (
        <>
          <dt>Old signing secret</dt>
          <dd>
            signs events, too, until <At at={oldSecretEnd} />
          </dd>
        </>
      )}
      <dt>Last success</dt>
      <dd>{lastSuccessAt === null ? 'never' : <Ago at={lastSuccessAt} />}</dd>
      <dt>Last failure</dt>
      <dd className="breakable">
        {lastErrorAt === null ? (
          'never'
        ) : (
          <>
            <Ago at={lastErrorAt} />
            {lastError !== null && `: ${lastError}`}
          </>
        )}
      </dd>
      <dt>Registered</dt>
      <dd>
        <At at={endpoint.createdAt} />
      </dd>
    </dl>
  );
}
