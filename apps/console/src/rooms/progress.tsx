import { SimpleGrid, Stack, Text } from '@mantine/core';
import type { components } from '../api/generated/console.ts';
import { Facts } from '../parts/values/facts.tsx';
import { Meter } from '../parts/values/meter.tsx';
import { Panel } from '../parts/panel.tsx';
import { Ago } from '../parts/values/time.tsx';
import { inWords } from '../text/deals.ts';
import { count } from '../text/numbers.ts';

type Metrics = components['schemas']['RoomMetrics'];

/** Shows the progress of a deal: its action plan, the conversation and the contracts. */
export function Progress({ metrics }: { metrics: Metrics }) {
  return (
    <SimpleGrid cols={{ base: 1, md: 3 }} spacing="md">
      <ActionPlan plan={metrics.actionPlan} />
      <Conversation conversation={metrics.conversation} />
      <Contracts contracts={metrics.esign.documents} />
    </SimpleGrid>
  );
}

function ActionPlan({ plan }: { plan: Metrics['actionPlan'] }) {
  return (
    <Panel title="Action plan">
      {plan.total === 0 ? (
        <Text c="dimmed" size="sm">
          No items yet.
        </Text>
      ) : (
        <Stack gap="sm">
          <div>
            <Text size="sm" fw={600} mb={4}>
              {count(plan.done)} of {count(plan.total)} done
            </Text>
            <Meter value={plan.done} of={plan.total} color="teal-6" />
          </div>
          <Facts
            facts={[
              ['By the prospect', count(plan.doneByProspect)],
              [
                'Overdue',
                <span key="overdue" className={plan.overdue > 0 ? 'warning-text' : undefined}>
                  {count(plan.overdue)}
                </span>,
              ],
              [
                'Last done',
                plan.lastCompletedAt === null ? null : <Ago key="last" at={plan.lastCompletedAt} />,
              ],
            ]}
          />
        </Stack>
      )}
    </Panel>
  );
}

function Conversation({ conversation }: { conversation: Metrics['conversation'] }) {
  return (
    <Panel title="Conversation">
      <Facts
        facts={[
          ['Prospect wrote', messages(conversation.prospectMessages)],
          ['Seller wrote', messages(conversation.sellerMessages)],
          [
            'Last message',
            conversation.lastMessageAt === null ? (
              'never'
            ) : (
              <Ago key="last" at={conversation.lastMessageAt} />
            ),
          ],
        ]}
      />
    </Panel>
  );
}

function Contracts({ contracts }: { contracts: Metrics['esign']['documents'] }) {
  return (
    <Panel title="Contracts">
      {contracts.length === 0 ? (
        <Text c="dimmed" size="sm">
          No contract has been sent yet.
        </Text>
      ) : (
        <Stack gap="sm">
          {contracts.map((contract) => (
            <div key={contract.id}>
              <Text size="sm" fw={600} className="breakable">
                {contract.subject ?? contract.envelopeId}
              </Text>
              <Text size="sm" component="div">
                {inWords(contract.status)}
                {contract.lastEventAt !== null && (
                  <Text span size="sm" c="dimmed">
                    , <Ago at={contract.lastEventAt} />
                  </Text>
                )}
              </Text>
              <Text size="xs" c="dimmed">
                {contract.recipientCount === null
                  ? inWords(contract.vendor)
                  : `${inWords(contract.vendor)}, ${count(contract.recipientCount)} ${contract.recipientCount === 1 ? 'recipient' : 'recipients'}`}
              </Text>
            </div>
          ))}
        </Stack>
      )}
    </Panel>
  );
}

function messages(total: number): string {
  return `${count(total)} ${total === 1 ? 'message' : 'messages'}`;
}
