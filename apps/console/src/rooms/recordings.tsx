import { Group, Text } from '@mantine/core';
import type { components } from '../api/generated/console.ts';
import { callTitle } from '../calls/call-words.tsx';
import { CardTable } from '../parts/lists/card-table.tsx';
import { Meter } from '../parts/values/meter.tsx';
import { PageLink } from '../parts/lists/page-links.tsx';
import { Panel } from '../parts/panel.tsx';
import { count } from '../text/numbers.ts';
import { lasting, playTime } from '../text/play-time.ts';

/** Shows the recordings that were shared in a room, and how far they were watched. */
export function Recordings({ recordings }: { recordings: readonly components['schemas']['RoomTrailer'][] }) {
  return (
    <Panel title="Recordings">
      {recordings.length === 0 ? (
        <Text c="dimmed" size="sm">
          No recording has been shared into this room yet.
        </Text>
      ) : (
        <CardTable
          caption="Recordings"
          rows={recordings}
          keyOf={({ id }) => id}
          columns={{
            Recording: (recording) => (
              <PageLink to="/calls/$callId" params={{ callId: recording.id }} className="breakable" fw={600}>
                {callTitle({ ...recording, prospectName: null })}
              </PageLink>
            ),
            Length: ({ durationSeconds }) => (durationSeconds === null ? '–' : playTime(durationSeconds)),
            Recipients: ({ recipients }) => count(recipients),
            Views: ({ views }) => count(views),
            Watched: ({ watchSeconds }) => lasting(watchSeconds),
            'Best completion': ({ bestCompletionPercent }) => (
              <Group gap="xs" wrap="nowrap" w={140}>
                <Text size="sm" w={42} ta="end">
                  {bestCompletionPercent}%
                </Text>
                <div style={{ flex: 1 }}>
                  <Meter value={bestCompletionPercent} of={100} color="teal-6" />
                </div>
              </Group>
            ),
          }}
        />
      )}
    </Panel>
  );
}
