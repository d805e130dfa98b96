import { Group, Stack, Text } from '@mantine/core';
import { CardTable } from '../parts/lists/card-table.tsx';
import { Ago, useNow } from '../parts/values/time.tsx';
import { type ApiKey, isWorking, getKeyState } from './api-key.ts';
import { KeyActions } from './key-actions.tsx';
import { KeyStatus } from './key-status.tsx';
import { useKeyUsage } from './key-usage.ts';
import { UsageCell } from './usage-cell.tsx';

interface KeyTableProps {
  caption: string;
  keys: readonly ApiKey[];
  /** The id of the key that a link points to, if any. */
  chosen: number | undefined;
  rotate: (apiKey: ApiKey) => void;
}

/** A table of API keys with their usage. */
export function KeyTable({ caption, keys, chosen, rotate }: KeyTableProps) {
  const usage = useKeyUsage();
  const now = useNow();
  return (
    <CardTable
      caption={caption}
      rows={keys}
      keyOf={({ id }) => id}
      chosen={chosen}
      columns={{
        Key: ({ name, prefix }) => (
          <Stack gap={0}>
            <Text size="sm" fw={600} className="breakable">
              {name}
            </Text>
            <Text size="xs" ff="monospace" c="dimmed">
              {prefix}…
            </Text>
          </Stack>
        ),
        State: (key) => <KeyStatus apiKey={key} state={getKeyState(key, now)} />,
        May: ({ scopes, allowedNetworks }) => (
          <Stack gap={0}>
            <Text size="sm">{describeScopes(scopes)}</Text>
            {allowedNetworks !== null && (
              <Text size="xs" c="dimmed" title={allowedNetworks.join('\n')} className="breakable">
                from {allowedNetworks.slice(0, 2).join(', ')}
                {allowedNetworks.length > 2 && ` and ${allowedNetworks.length - 2} more`}
              </Text>
            )}
          </Stack>
        ),
        'Requests in 30 days': ({ id }) => (
          <UsageCell usage={usage?.get(id)} isLoading={usage === undefined} />
        ),
        'Last used': ({ lastUsedAt: at }) => <Text size="sm">{at === null ? 'never' : <Ago at={at} />}</Text>,
        Actions: (key) => (
          <Group gap="xs" wrap="nowrap">
            {isWorking(getKeyState(key, now)) ? (
              <KeyActions apiKey={key} rotate={rotate} />
            ) : (
              <Text size="sm">–</Text>
            )}
          </Group>
        ),
      }}
    />
  );
}

/** Describes what a key may do. */
function describeScopes(scopes: readonly string[]): string {
  const kinds = scopes
    .filter((scope) => scope.startsWith('read:'))
    .map((scope) => scope.replace('read:', ''));
  const reads = scopes.includes('read')
    ? ['read everything']
    : kinds.length > 0
      ? [`read ${kinds.join(', ')}`]
      : [];
  return [...reads, ...(scopes.includes('webhooks') ? ['register webhooks'] : [])].join('; ');
}
