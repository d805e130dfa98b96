import { Button, Group, Select, SimpleGrid, Stack } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { integrationApi } from '../api/clients.ts';
import { endpointHost } from '../endpoints/endpoint.ts';
import type { Found } from '../search/found-icon.tsx';
import { type Choice, ObjectSearch } from '../search/object-search.tsx';
import { useCallName, useRoomName } from '../parts/values/object-links.tsx';
import { TimeField } from '../parts/forms/time-field.tsx';
import { EVENT_TYPES, isEventType } from '../text/event-types.ts';
import { isPeriod, PERIOD_NAMES, PERIODS } from '../text/periods.ts';
import { type DeliverySearch, isFiltered } from './delivery-search.ts';

interface FilterBarProps {
  search: DeliverySearch;
  /** Replaces some filters. Undefined removes a filter. */
  change: (filters: Partial<Record<keyof DeliverySearch, unknown>>) => void;
  clear: () => void;
  /** Opens a delivery that was found by its id. */
  open: (deliveryId: string) => void;
}

const STATUSES = [
  { value: 'pending', label: 'Pending' },
  { value: 'delivered', label: 'Delivered' },
  { value: 'dead', label: 'Dead' },
];
const EXACT = 'exact';

/** The filters of the delivery log: a search for objects, which become chips, and selects for the rest. */
export function FilterBar({ search, change, clear, open }: FilterBarProps) {
  const { data: endpoints } = integrationApi.useQuery('get', '/webhooks', {}, { staleTime: 30_000 });
  const isExact = search.since !== undefined || search.until !== undefined;
  return (
    <Stack gap="sm" mb="md" role="search" aria-label="Deliveries">
      <ObjectSearch
        label="Find deliveries by room, call, person or id"
        placeholder="Room, call, person, or any id"
        isLabelHidden
        getChoices={(found) => toFilters(found, change, open)}
      />
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
        <Select
          aria-label="Status"
          placeholder="Any status"
          data={STATUSES}
          clearable
          clearButtonProps={{ 'aria-label': 'Any status' }}
          value={search.status ?? null}
          onChange={(status) => change({ status: status ?? undefined })}
        />
        <Select
          aria-label="Event type"
          placeholder="Any event type"
          data={EVENT_TYPES}
          clearable
          clearButtonProps={{ 'aria-label': 'Any event type' }}
          comboboxProps={{ width: 260, position: 'bottom-start' }}
          value={search.event_type ?? null}
          onChange={(type) => change({ event_type: isEventType(type) ? type : undefined })}
        />
        <Select
          aria-label="Endpoint"
          placeholder="Any endpoint"
          data={(endpoints?.data ?? []).map(({ id, url }) => ({
            value: String(id),
            label: `${endpointHost(url)} (${id})`,
          }))}
          clearable
          clearButtonProps={{ 'aria-label': 'Any endpoint' }}
          comboboxProps={{ width: 300, position: 'bottom-start' }}
          value={search.endpoint_id === undefined ? null : String(search.endpoint_id)}
          onChange={(id) => change({ endpoint_id: id === null ? undefined : Number(id) })}
        />
        <Select
          aria-label="Time"
          placeholder="Any time"
          data={[
            ...PERIODS.map((value) => ({ value: value as string, label: PERIOD_NAMES[value] })),
            { value: EXACT, label: 'From … to …' },
          ]}
          clearable
          clearButtonProps={{ 'aria-label': 'Any time' }}
          value={isExact ? EXACT : (search.last ?? null)}
          onChange={(value) =>
            change({
              last: isPeriod(value) ? value : undefined,
              since: value === EXACT ? new Date(Date.now() - 86_400_000).toISOString() : undefined,
              until: undefined,
            })
          }
        />
      </SimpleGrid>
      {isExact && (
        <Group gap="sm" grow>
          <TimeField label="From" value={search.since} onChange={(since) => change({ since })} />
          <TimeField label="To" value={search.until} onChange={(until) => change({ until })} />
        </Group>
      )}
      {isFiltered(search) && <Chips search={search} change={change} clear={clear} />}
    </Stack>
  );
}

/** Returns the filters for a found object. */
function toFilters(
  { kind, id, roomId, callId, email }: Found,
  change: FilterBarProps['change'],
  open: FilterBarProps['open'],
): Choice[] {
  const filters = {
    room: { buyer_space_id: id },
    call: { call_id: id },
    person: email === null ? null : { person: email },
    share_link: callId === null ? { buyer_space_id: roomId } : { call_id: callId },
    event: { event_id: id },
    endpoint: { endpoint_id: Number(id) },
    delivery: null,
  }[kind];
  const key = `${kind} ${id}`;
  if (filters !== null) return [{ key, run: () => change(filters) }];
  return kind === 'delivery' ? [{ key, run: () => open(id) }] : [];
}

/** The selected objects. Each chip is a button that removes its filter. */
function Chips({ search, change, clear }: Pick<FilterBarProps, 'search' | 'change' | 'clear'>) {
  const room = useRoomName(search.buyer_space_id);
  const call = useCallName(search.call_id);
  const chips = [
    { name: 'buyer_space_id', text: search.buyer_space_id && `Room: ${room ?? search.buyer_space_id}` },
    { name: 'call_id', text: search.call_id && `Call: ${call ?? search.call_id}` },
    { name: 'person', text: search.person && `Person: ${search.person}` },
    { name: 'event_id', text: search.event_id && `Event: ${search.event_id}` },
  ].filter(({ text }) => text !== undefined);
  return (
    <Group gap="xs">
      {chips.map(({ name, text }) => (
        <Button
          key={name}
          size="xs"
          variant="default"
          radius="xl"
          maw="100%"
          rightSection={<IconX size={14} aria-hidden />}
          aria-label={`Remove the filter ${text}`}
          onClick={() => change({ [name]: undefined })}
        >
          {text}
        </Button>
      ))}
      <Button size="xs" variant="subtle" radius="xl" onClick={clear}>
        Clear all filters
      </Button>
    </Group>
  );
}
