import { Button, Collapse, Group, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useId } from 'react';
import type { components } from '../api/generated/console.ts';
import { Loaded } from '../parts/lists/loaded.tsx';
import { EndpointLink } from '../parts/values/object-links.tsx';
import { RowsLoading } from '../parts/lists/rows-loading.tsx';
import { Ago } from '../parts/values/time.tsx';
import { boundedCount } from '../text/numbers.ts';
import { DeadLetterChoice } from './dead-letter-choice.tsx';
import './dead-letters.css';
import type { Action, Selection } from './move.ts';

/** Dead letters of one endpoint with the same error. */
export type DeadLetterGroup = components['schemas']['DeadLetterGroup'];

interface EndpointGroupsProps {
  endpointId: number;
  groups: readonly DeadLetterGroup[];
  since: string | undefined;
  move: (action: Action, selection: Selection) => void;
}

/** Lists the dead letters of an endpoint, grouped by error. */
export function EndpointGroups({ endpointId, groups, since, move }: EndpointGroupsProps) {
  const total = groups.reduce((sum, { count }) => sum + count, 0);
  const isExact = groups.every(({ countExact }) => countExact);
  const all = { endpointId, ...(since !== undefined && { since }) };
  return (
    <section className="panel">
      <Group justify="space-between" gap="sm" mb="xs">
        <Title order={2}>
          <EndpointLink id={endpointId} isWhole />
        </Title>
        <Group gap="xs">
          <Button size="xs" variant="light" onClick={() => move('retry', all)}>
            {since === undefined ? `Retry all ${boundedCount(total, isExact)}` : 'Retry all since then'}
          </Button>
          <Button size="xs" variant="default" onClick={() => move('dismiss', all)}>
            {since === undefined ? 'Dismiss all' : 'Dismiss all since then'}
          </Button>
        </Group>
      </Group>
      <Stack gap={0}>
        {groups.map((group) => (
          <GroupRow key={`${group.error} ${group.statusCode}`} group={group} since={since} move={move} />
        ))}
      </Stack>
    </section>
  );
}

function GroupRow({
  group,
  since,
  move,
}: { group: DeadLetterGroup } & Pick<EndpointGroupsProps, 'since' | 'move'>) {
  const { endpointId, error, count, countExact, newestAt, oldestAt } = group;
  const [isOpen, { toggle }] = useDisclosure();
  const id = useId();
  const selection = { endpointId, error, ...(since !== undefined && { since }) };
  return (
    <div className="dead-letter-group">
      <Group justify="space-between" gap="sm" wrap="wrap">
        <div style={{ flex: '1 1 16rem', minWidth: 0 }}>
          <Text size="sm" fw={550} className="breakable">
            {error ?? 'no error was recorded'}
          </Text>
          <Text size="sm" c="dimmed">
            {boundedCount(count, countExact)} {count === 1 ? 'event' : 'events'}, <Ago at={oldestAt} />
            {count > 1 && (
              <>
                {' '}
                to <Ago at={newestAt} />
              </>
            )}
          </Text>
        </div>
        <Group gap="xs">
          <Button size="compact-sm" variant="light" onClick={() => move('retry', selection)}>
            Retry these
          </Button>
          <Button size="compact-sm" variant="default" onClick={() => move('dismiss', selection)}>
            Dismiss these
          </Button>
          <Button
            size="compact-sm"
            variant="subtle"
            aria-expanded={isOpen}
            aria-controls={id}
            leftSection={
              isOpen ? <IconChevronDown size={14} aria-hidden /> : <IconChevronRight size={14} aria-hidden />
            }
            onClick={toggle}
          >
            One by one
          </Button>
        </Group>
      </Group>
      <Collapse expanded={isOpen} id={id} pt={isOpen ? 'sm' : 0}>
        {isOpen && (
          <Loaded outline={<RowsLoading label="Loading the dead letters" rows={3} height={32} />}>
            <DeadLetterChoice endpointId={endpointId} error={error} since={since} move={move} />
          </Loaded>
        )}
      </Collapse>
    </div>
  );
}
