import { Text } from '@mantine/core';
import type { components } from '../api/generated/console.ts';
import { CardTable } from '../parts/card-table.tsx';
import { Panel } from '../parts/panel.tsx';
import { Ago } from '../parts/time.tsx';
import { inWords } from '../text/deals.ts';
import { count } from '../text/numbers.ts';
import { lasting } from '../text/play-time.ts';

/** The documents of a room, and how they were read. */
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
          columns={['Document', 'Category', 'Opened', 'Viewers', 'Reading time', 'Last viewed']}
        >
          {documents.map((document) => (
            <tr key={document.id}>
              <th scope="row">
                <Text size="sm" fw={600} className="breakable">
                  {document.title}
                </Text>
                {document.uploadedByProspect && (
                  <Text size="xs" c="dimmed" fw={400}>
                    from the prospect
                  </Text>
                )}
              </th>
              <td data-label="Category">{inWords(document.category)}</td>
              <td data-label="Opened">{document.opens === 0 ? 'never' : `${count(document.opens)} ×`}</td>
              <td data-label="Viewers">{count(document.uniqueViewers)}</td>
              <td data-label="Reading time">
                {document.totalSeconds === 0 ? '–' : lasting(document.totalSeconds)}
              </td>
              <td data-label="Last viewed">
                {document.lastViewedAt === null ? 'never' : <Ago at={document.lastViewedAt} />}
              </td>
            </tr>
          ))}
        </CardTable>
      )}
    </Panel>
  );
}
