import { Text } from '@mantine/core';
import type { components } from '../api/generated/console.ts';
import { CardTable } from '../parts/lists/card-table.tsx';
import { Panel } from '../parts/panel.tsx';
import { Ago } from '../parts/values/time.tsx';
import { inWords } from '../text/deals.ts';
import { count } from '../text/numbers.ts';
import { lasting } from '../text/play-time.ts';

/** Shows the documents of a room and how they were read. */
export function Documents({ documents }: { documents: readonly components['schemas']['RoomAsset'][] }) {
  return (
    <Panel title="Documents">
      {documents.length === 0 ? (
        <Text c="dimmed" size="sm">
          There are no documents in this room yet.
        </Text>
      ) : (
        <CardTable
          caption="Documents"
          rows={documents}
          keyOf={({ id }) => id}
          columns={{
            Document: ({ title, uploadedByProspect }) => (
              <>
                <Text size="sm" fw={600} className="breakable">
                  {title}
                </Text>
                {uploadedByProspect && (
                  <Text size="xs" c="dimmed" fw={400}>
                    from the prospect
                  </Text>
                )}
              </>
            ),
            Category: ({ category }) => inWords(category),
            Opened: ({ opens }) => (opens === 0 ? 'never' : `${count(opens)} ×`),
            Viewers: ({ uniqueViewers }) => count(uniqueViewers),
            'Reading time': ({ totalSeconds }) => (totalSeconds === 0 ? '–' : lasting(totalSeconds)),
            'Last viewed': ({ lastViewedAt }) =>
              lastViewedAt === null ? 'never' : <Ago at={lastViewedAt} />,
          }}
        />
      )}
    </Panel>
  );
}
