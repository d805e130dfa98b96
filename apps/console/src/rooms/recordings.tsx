import { Group, Text } from '@mantine/core';
import type { components } from '../api/generated/console.ts';
import { callTitle } from '../calls/call-words.tsx';
import { CardTable } from '../parts/card-table.tsx';
import { Meter } from '../parts/meter.tsx';
import { PageLink } from '../parts/page-links.tsx';
import { Panel } from '../parts/panel.tsx';
import { count } from '../text/numbers.ts';
import { lasting, playTime } from '../text/play-time.ts';

/** The recordings that were shared into a room, and how far they were watched. */
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
          columns={['Recording', 'Length', 'Recipients', 'Views', 'Watched', 'Best completion']}
        >
          {recordings.map((recording) => (
            <tr key={recording.id}>
              <th scope="row">
                <PageLink
                  to="/calls/$callId"
                  params={{ callId: recording.id }}
                  className="breakable"
                  fw={600}
                >
                  {callTitle({ ...recording, prospectName: null })}
                </PageLink>
              </th>
              <td data-label="Length">
                {recording.durationSeconds === null ? '–' : playTime(recording.durationSeconds)}
              </td>
              <td data-label="Recipients">{count(recording.recipients)}</td>
              <td data-label="Views">{count(recording.views)}</td>
              <td data-label="Watched">{lasting(recording.watchSeconds)}</td>
              <td data-label="Best completion">
                <Group gap="xs" wrap="nowrap" w={140}>
                  <Text size="sm" w={42} ta="end">
                    {recording.bestCompletionPercent}%
                  </Text>
                  <div style={{ flex: 1 }}>
                    <Meter value={recording.bestCompletionPercent} of={100} color="teal-6" />
                  </div>
                </Group>
              </td>
            </tr>
          ))}
        </CardTable>
      )}
    </Panel>
  );
}
