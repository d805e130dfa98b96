import { Code, Text, Title } from '@mantine/core';
import { DeliveryTable } from '../deliveries/delivery-table.tsx';
import { CardTable } from '../parts/lists/card-table.tsx';
import { At } from '../parts/values/time.tsx';
import type { WhyEndpoint } from './sentences.ts';

type Change = WhyEndpoint['changes'][number];

interface EvidenceProps {
  deliveries: WhyEndpoint['deliveries'];
  /** Changes of the endpoint, or of the workspace. */
  changes: readonly Change[];
}

/** The rows behind a sentence: deliveries and audit records. */
export function Evidence({ deliveries, changes }: EvidenceProps) {
  if (deliveries.length + changes.length === 0) {
    return <Text size="sm">No deliveries or changes are recorded.</Text>;
  }
  return (
    <>
      {deliveries.length > 0 && (
        <>
          <Title order={4} size="sm">
            Deliveries
          </Title>
          <DeliveryTable deliveries={deliveries} />
        </>
      )}
      {changes.length > 0 && (
        <>
          <Title order={4} size="sm" mt="sm">
            Audit log
          </Title>
          <Changes changes={changes} />
        </>
      )}
    </>
  );
}

function Changes({ changes }: { changes: readonly Change[] }) {
  return (
    <CardTable
      caption="What was changed"
      rows={changes}
      keyOf={({ auditRecordId }) => auditRecordId}
      columns={{
        When: ({ at }) => (
          <Text span size="sm" fw={400}>
            <At at={at} />
          </Text>
        ),
        What: ({ action }) => <Code>{action}</Code>,
        Who: ({ user }) => (user === null ? 'the system' : (user.name ?? `User ${user.id}`)),
        Details: ({ details }) => (
          <Text size="xs" ff="monospace" className="breakable">
            {JSON.stringify(details)}
          </Text>
        ),
      }}
    />
  );
}
