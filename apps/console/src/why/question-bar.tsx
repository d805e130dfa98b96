import { Select, SimpleGrid } from '@mantine/core';
import type { Found } from '../search/found-icon.tsx';
import { type Choice, ObjectSearch } from '../search/object-search.tsx';
import { TimeField } from '../parts/forms/time-field.tsx';
import { EVENT_TYPES } from '../text/event-types.ts';
import { isPeriod, PERIOD_NAMES, PERIODS } from '../text/periods.ts';
import type { WhySearch } from './why-search.ts';

interface QuestionBarProps {
  search: WhySearch;
  ask: (search: WhySearch) => void;
}

const EXACT = 'exact';
const WEEK = 'week';

/** The question: a room, a call, an event or a delivery; the event type and the time. */
export function QuestionBar({ search, ask }: QuestionBarProps) {
  const { buyer_space_id: room, call_id: call, event_id: event, delivery_id: delivery, ...rest } = search;
  const isExact = search.since !== undefined || search.until !== undefined;
  const isAnyTime = event !== undefined || delivery !== undefined;
  const { last: _last, since: _since, until: _until, ...untimed } = search;
  return (
    <div className="panel" role="search" aria-label="What didn't arrive">
      <ObjectSearch
        label="What didn't arrive?"
        placeholder="A room, a call, or the id of an event or a delivery"
        getChoices={(found) => toChoices(found, (object) => ask({ ...rest, ...object }))}
      />
      {(room ?? call) !== undefined && (
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm" mt="sm">
          <Select
            label="Event type"
            placeholder="Any event type"
            data={EVENT_TYPES}
            clearable
            clearButtonProps={{ 'aria-label': 'Any event type' }}
            value={search.event_type ?? null}
            onChange={(type) => {
              const { event_type: _type, ...others } = search;
              ask(type === null ? others : { ...others, event_type: type });
            }}
          />
          <Select
            label="Time"
            allowDeselect={false}
            disabled={isAnyTime}
            data={[
              ...PERIODS.map((value) => ({ value: value as string, label: PERIOD_NAMES[value] })),
              { value: EXACT, label: 'From … to …' },
            ]}
            value={isExact ? EXACT : (search.last ?? WEEK)}
            onChange={(value) => {
              if (isPeriod(value)) ask({ ...untimed, last: value });
              else ask({ ...untimed, since: new Date(Date.now() - 86_400_000).toISOString() });
            }}
          />
          {isExact && (
            <>
              <TimeField
                label="From"
                value={search.since}
                onChange={(since) =>
                  ask({ ...untimed, ...until(search), ...(since !== undefined && { since }) })
                }
              />
              <TimeField
                label="To"
                value={search.until}
                onChange={(to) =>
                  ask({
                    ...untimed,
                    ...(search.since !== undefined && { since: search.since }),
                    ...(to !== undefined && { until: to }),
                  })
                }
              />
            </>
          )}
        </SimpleGrid>
      )}
    </div>
  );
}

function until(search: WhySearch): WhySearch {
  return search.until === undefined ? {} : { until: search.until };
}

/** Returns the choice for a found object. For people and share links, the question is about their room or call. */
function toChoices({ kind, id, roomId, callId }: Found, ask: (object: WhySearch) => void): Choice[] {
  const key = `${kind} ${id}`;
  const choice = (object: WhySearch): Choice[] => [{ key, run: () => ask(object) }];
  if (kind === 'event') return choice({ event_id: id });
  if (kind === 'delivery') return choice({ delivery_id: id });
  if (kind === 'call' || (kind === 'share_link' && callId !== null)) return choice({ call_id: callId ?? id });
  return roomId === null ? [] : choice({ buyer_space_id: roomId });
}
