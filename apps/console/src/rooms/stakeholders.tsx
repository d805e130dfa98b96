import { Group, Stack, Text } from '@mantine/core';
import { IconActivity, IconMoon, IconVolumeOff } from '@tabler/icons-react';
import type { components } from '../api/generated/console.ts';
import { CardTable } from '../parts/lists/card-table.tsx';
import { Meter } from '../parts/values/meter.tsx';
import { Panel } from '../parts/panel.tsx';
import { Sign } from '../parts/values/sign.tsx';
import { Ago } from '../parts/values/time.tsx';
import { inWords } from '../text/deals.ts';
import { count } from '../text/numbers.ts';
import { lasting } from '../text/play-time.ts';

type Stakeholder = components['schemas']['Stakeholder'];

const LOOKS = {
  engaged: { color: 'teal.6', icon: <IconActivity size={16} />, name: 'Engaged' },
  dormant: { color: 'yellow.7', icon: <IconMoon size={16} />, name: 'Dormant' },
  silent: { color: 'gray.6', icon: <IconVolumeOff size={16} />, name: 'Silent' },
} satisfies Record<Stakeholder['status'], object>;

/** The counted actions of a person, with their labels in the singular and plural. */
const ACTIONS = [
  ['roomVisits', 'visit', 'visits'],
  ['trailerViews', 'view', 'views'],
  ['docOpens', 'document opened', 'documents opened'],
  ['comments', 'comment', 'comments'],
  ['messages', 'message', 'messages'],
  ['forwards', 'forward', 'forwards'],
  ['mapCheckoffs', 'item checked off', 'items checked off'],
] as const;

/** Lists the people of a room, most active first. */
export function Stakeholders({ people }: { people: readonly Stakeholder[] }) {
  const maxActions = Math.max(...people.map(countActions), 0);
  const sorted = people.toSorted(
    (a, b) =>
      countActions(b) - countActions(a) ||
      b.watchSeconds - a.watchSeconds ||
      personName(a).localeCompare(personName(b)),
  );
  return (
    <Panel title="Stakeholders">
      {people.length === 0 ? (
        <Text c="dimmed" size="sm">
          No people yet. They appear here when they are added to the room, receive a share link or visit.
        </Text>
      ) : (
        <CardTable
          caption="Stakeholders"
          rows={sorted}
          keyOf={({ email, name }) => `${email} ${name}`}
          columns={{
            Person: (person) => (
              <Stack gap={0}>
                <Text size="sm" fw={600} className="breakable" title={person.email ?? undefined}>
                  {personName(person)}
                </Text>
                <Text size="xs" c="dimmed" fw={400}>
                  {[person.title, person.role === null ? null : inWords(person.role)]
                    .filter(Boolean)
                    .join(' · ')}
                </Text>
              </Stack>
            ),
            State: ({ status }) => {
              const { color, icon, name } = LOOKS[status];
              return (
                <Sign color={color} icon={icon}>
                  {name}
                </Sign>
              );
            },
            Activity: (person) => (
              <Stack gap={4} miw={0} w="100%" maw={260}>
                <Meter value={countActions(person)} of={maxActions} color="teal-6" />
                <Text size="xs" c="dimmed">
                  {actionsInWords(person)}
                </Text>
              </Stack>
            ),
            Watched: ({ watchSeconds, bestCompletionPercent }) =>
              watchSeconds === 0 ? (
                '–'
              ) : (
                <Group gap={4}>
                  <Text size="sm">{lasting(watchSeconds)},</Text>
                  <Text size="sm">{bestCompletionPercent}%</Text>
                </Group>
              ),
            'Last active': ({ lastActivityAt: at }) => (at === null ? 'never' : <Ago at={at} />),
          }}
        />
      )}
    </Panel>
  );
}

function actionsInWords(person: Stakeholder): string {
  const counted = ACTIONS.filter(([field]) => person[field] > 0).map(
    ([field, one, several]) => `${count(person[field])} ${person[field] === 1 ? one : several}`,
  );
  return counted.length === 0 ? 'nothing yet' : counted.join(', ');
}

function countActions(person: Stakeholder): number {
  return ACTIONS.reduce((sum, [field]) => sum + person[field], 0);
}

function personName({ name, email }: Stakeholder): string {
  return name ?? email ?? 'Unknown person';
}
