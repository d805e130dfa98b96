import { Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { consoleApi } from '../api/clients.ts';
import { CardTable } from '../parts/lists/card-table.tsx';
import { DeliveryLink } from '../parts/values/delivery-link.tsx';
import { AboutLink } from '../parts/values/object-links.tsx';
import { Ago } from '../parts/values/time.tsx';
import type { Action, Selection } from './move.ts';

interface DeadLetterChoiceProps {
  endpointId: number;
  error: string | null;
  /** Only deliveries that were created at or after this time. */
  since: string | undefined;
  move: (action: Action, selection: Selection) => void;
}

const MAX_SHOWN = 100;

/** Lists the newest dead letters of a group, so that some of them can be retried or dismissed. */
export function DeadLetterChoice({ endpointId, error, since, move }: DeadLetterChoiceProps) {
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const { data: log } = consoleApi.useSuspenseQuery('get', '/webhook-deliveries', {
    params: {
      query: {
        endpoint_id: endpointId,
        status: 'dead',
        order: 'desc',
        limit: 500,
        ...(since !== undefined && { since }),
      },
    },
  });
  const rows = log.data
    .filter(({ lastError, dismissedAt, eventType }) => {
      return lastError === error && dismissedAt === null && eventType !== 'integration.ping';
    })
    .slice(0, MAX_SHOWN);
  const ids = rows.map(({ id }) => id).filter((id) => chosen.includes(id));
  const toggle = (id: string) =>
    setChosen(chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id]);
  return (
    <Stack gap="xs">
      <Group gap="sm" justify="space-between">
        <Checkbox
          label={`Select all ${rows.length} shown`}
          checked={rows.length > 0 && ids.length === rows.length}
          indeterminate={ids.length > 0 && ids.length < rows.length}
          onChange={({ currentTarget }) => setChosen(currentTarget.checked ? rows.map(({ id }) => id) : [])}
        />
        <Group gap="xs">
          <Button
            size="xs"
            disabled={ids.length === 0}
            onClick={() => move('retry', { endpointId, deliveryIds: ids })}
          >
            Retry {ids.length} selected
          </Button>
          <Button
            size="xs"
            variant="default"
            disabled={ids.length === 0}
            onClick={() => move('dismiss', { endpointId, deliveryIds: ids })}
          >
            Dismiss {ids.length} selected
          </Button>
        </Group>
      </Group>
      <CardTable
        caption="Dead letters of this group"
        rows={rows}
        keyOf={({ id }) => id}
        heading="Event"
        columns={{
          Choose: ({ id }) => (
            <Checkbox
              aria-label={`Select delivery ${id}`}
              checked={chosen.includes(id)}
              onChange={() => toggle(id)}
            />
          ),
          Event: ({ id, eventType }) => <DeliveryLink id={id}>{eventType}</DeliveryLink>,
          About: (delivery) => <AboutLink {...delivery} />,
          Attempts: ({ attempts }) => attempts,
          Created: ({ createdAt }) => <Ago at={createdAt} />,
        }}
      />
      {rows.length === 0 && <Text size="sm">The newest dead letters of the endpoint have other errors.</Text>}
    </Stack>
  );
}
