import { Group, Stack, Text } from '@mantine/core';
import type { components } from '../api/generated/console.ts';
import { Meter } from '../parts/values/meter.tsx';
import { Panel } from '../parts/panel.tsx';
import { inWords } from '../text/deals.ts';
import { lasting } from '../text/play-time.ts';
import './participants.css';

type Call = components['schemas']['Call'];
type Participant = Call['participants'][number];

const SIDES = {
  seller: { name: 'Seller', color: 'signal-6' },
  prospect: { name: 'Prospect', color: 'teal-6' },
} as const;

/** Shows the participants of a call, and how long each of them talked. */
export function Participants({ call }: { call: Call }) {
  const { participants, talkTime } = call;
  const sorted = participants.toSorted((a, b) => (b.talkSeconds ?? 0) - (a.talkSeconds ?? 0));
  const maxTalk = Math.max(...participants.map(({ talkSeconds }) => talkSeconds ?? 0), 0);
  return (
    <Panel title="Participants">
      {participants.length === 0 ? (
        <Text c="dimmed" size="sm">
          No participants are known.
        </Text>
      ) : (
        <Stack gap="md">
          {maxTalk > 0 && <Balance participants={participants} />}
          <Stack gap="sm" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
            {sorted.map((person) => (
              <li key={`${person.email} ${person.name}`}>
                <PersonLine person={person} maxTalk={maxTalk} />
              </li>
            ))}
          </Stack>
          {talkTime !== null && talkTime.totalSpeakerSeconds !== null && (
            <Text size="xs" c="dimmed">
              {lasting(talkTime.totalSpeakerSeconds)} of talk
              {talkTime.source !== null && `, from ${inWords(talkTime.source).toLowerCase()}`}
            </Text>
          )}
        </Stack>
      )}
    </Panel>
  );
}

/** Shows the share of talk time of the seller and the prospect. */
function Balance({ participants }: { participants: readonly Participant[] }) {
  const total = sumTalk(participants);
  const sides = (['seller', 'prospect'] as const).map((side) => {
    const talk = sumTalk(participants.filter(({ isInternal }) => isInternal === (side === 'seller')));
    return { ...SIDES[side], percent: Math.round((100 * talk) / total) };
  });
  return (
    <div>
      <div className="talk-bar" aria-hidden>
        {sides.map(({ name, color, percent }) => (
          <span key={name} style={{ width: `${percent}%`, background: `var(--mantine-color-${color})` }} />
        ))}
      </div>
      <Group justify="space-between" mt={4}>
        {sides.map(({ name, percent }) => (
          <Text key={name} size="sm">
            {name} {percent}%
          </Text>
        ))}
      </Group>
    </div>
  );
}

function PersonLine({ person, maxTalk }: { person: Participant; maxTalk: number }) {
  const { name, email, role, isHost, isInternal, talkSeconds, talkPercent } = person;
  const talk =
    talkSeconds === null
      ? null
      : `${lasting(talkSeconds)}${talkPercent === null ? '' : `, ${Math.round(talkPercent)}%`}`;
  return (
    <>
      <Group justify="space-between" gap="xs" wrap="nowrap" align="baseline">
        <Text size="sm" component="div" className="breakable">
          <Text span size="sm" fw={600} title={email ?? undefined}>
            {name ?? email ?? 'Unknown person'}
          </Text>{' '}
          <Text span size="sm" c="dimmed">
            {[
              isInternal ? 'Seller' : 'Prospect',
              role === null ? null : inWords(role),
              isHost ? 'host' : null,
            ]
              .filter(Boolean)
              .join(' · ')}
          </Text>
        </Text>
        {talk !== null && (
          <Text size="sm" className="tabular" style={{ whiteSpace: 'nowrap' }}>
            {talk}
          </Text>
        )}
      </Group>
      {talkSeconds !== null && (
        <Meter
          value={talkSeconds}
          of={maxTalk}
          color={isInternal ? SIDES.seller.color : SIDES.prospect.color}
        />
      )}
    </>
  );
}

function sumTalk(participants: readonly Participant[]): number {
  return participants.reduce((sum, { talkSeconds }) => sum + (talkSeconds ?? 0), 0);
}
