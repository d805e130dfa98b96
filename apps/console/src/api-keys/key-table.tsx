import { Group, Stack, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { CardTable } from '../parts/card-table.tsx';
import { Ago, useNow } from '../parts/time.tsx';
import { type ApiKey, isWorking, stateOf } from './api-key.ts';
import { KeyActions } from './key-actions.tsx';
import { KeyStatus } from './key-status.tsx';
import { type KeyUsage, useKeyUsage } from './key-usage.ts';
import { UsageCell } from './usage-cell.tsx';

interface KeyTableProps {
  caption: string;
  keys: readonly ApiKey[];
  /** The id of the key that a link leads to, if one does. */
  chosen: number | undefined;
}

/** API keys with their use. */
export function KeyTable({ caption, keys, chosen }: KeyTableProps) {
  const usage = useKeyUsage();
  return (
    <CardTable
      caption={caption}
      columns={['Key', 'State', 'May read', 'Requests in 30 days', 'Last used', 'Actions']}
    >
      {keys.map((key) => (
        <KeyRow
          key={key.id}
          apiKey={key}
          usage={usage?.get(key.id)}
          isUsageLoading={usage === undefined}
          isChosen={key.id === chosen}
        />
      ))}
    </CardTable>
  );
}

interface KeyRowProps {
  apiKey: ApiKey;
  usage: KeyUsage | undefined;
  isUsageLoading: boolean;
  isChosen: boolean;
}

function KeyRow({ apiKey, usage, isUsageLoading, isChosen }: KeyRowProps) {
  const state = stateOf(apiKey, useNow());
  const { name, prefix, scopes, allowedNetworks, lastUsedAt } = apiKey;
  const row = useRef<HTMLTableRowElement>(null);
  // The next press of Tab is then at what can be done with the key.
  useEffect(() => {
    if (isChosen) row.current?.focus();
  }, [isChosen]);
  return (
    <tr ref={row} {...(isChosen && { tabIndex: -1, 'aria-current': true })}>
      <th scope="row">
        <Stack gap={0}>
          <Text size="sm" fw={600} className="breakable">
            {name}
          </Text>
          <Text size="xs" ff="monospace" c="dimmed">
            {prefix}…
          </Text>
        </Stack>
      </th>
      <td data-label="State">
        <KeyStatus apiKey={apiKey} state={state} />
      </td>
      <td data-label="May read">
        <Stack gap={0}>
          <Text size="sm">{scopes.includes('read') ? 'everything' : scopes.map(shortScope).join(', ')}</Text>
          {allowedNetworks !== null && (
            <Text size="xs" c="dimmed" title={allowedNetworks.join('\n')} className="breakable">
              from {allowedNetworks.slice(0, 2).join(', ')}
              {allowedNetworks.length > 2 && ` and ${allowedNetworks.length - 2} more`}
            </Text>
          )}
        </Stack>
      </td>
      <td data-label="Requests">
        <UsageCell usage={usage} isLoading={isUsageLoading} />
      </td>
      <td data-label="Last used">
        <Text size="sm">{lastUsedAt === null ? 'never' : <Ago at={lastUsedAt} />}</Text>
      </td>
      <td>
        <Group gap="xs" wrap="nowrap">
          {isWorking(state) ? <KeyActions apiKey={apiKey} /> : <Text size="sm">–</Text>}
        </Group>
      </td>
    </tr>
  );
}

function shortScope(scope: string): string {
  return scope.replace(/^read:/, '');
}
