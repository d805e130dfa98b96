import { Text } from '@mantine/core';
import { IconShieldX } from '@tabler/icons-react';
import type { components } from '../api/generated/console.ts';
import { CardTable } from '../parts/lists/card-table.tsx';
import { Facts } from '../parts/values/facts.tsx';
import { PageLink } from '../parts/lists/page-links.tsx';
import { Sign } from '../parts/values/sign.tsx';
import { At } from '../parts/values/time.tsx';
import './audit.css';
import { actionName, objectName } from './audit-words.ts';

type AuditEntry = components['schemas']['ConsoleAuditRecord'];

/** A table of audit records, in the given order. */
export function AuditTable({ records }: { records: readonly AuditEntry[] }) {
  return (
    <CardTable
      caption="Audit log"
      rows={records}
      keyOf={({ id }) => id}
      columns={{
        What: ({ action, details }) =>
          action === 'request.refused' ? (
            <Sign color="red.6" icon={<IconShieldX size={16} />} tone="danger">
              {actionName(action)}
            </Sign>
          ) : (
            <Text size="sm" fw={500}>
              {actionName(action, details)}
            </Text>
          ),
        Object: ({ objectType, objectId, details }) => (
          <span className="breakable">{objectName(objectType, objectId, details)}</span>
        ),
        Who: ({ userId, userName, apiKeyId }) =>
          userId === null ? (
            apiKeyId === null ? (
              'the system'
            ) : (
              `API key ${apiKeyId}`
            )
          ) : (
            <PageLink
              to="/audit-log"
              search={(before) => ({ ...before, user_id: userId })}
              resetScroll={false}
              aria-label={`Only what ${userName ?? `user ${userId}`} did`}
            >
              {userName ?? `User ${userId}`}
            </PageLink>
          ),
        From: ({ ipAddress }) => <span className="breakable">{ipAddress ?? '–'}</span>,
        When: ({ at }) => <At at={at} />,
        Details: (record) => <Details record={record} />,
      }}
    />
  );
}

function Details({ record }: { record: AuditEntry }) {
  const { id, action, userId, requestId, serverRequestId, details } = record;
  return (
    <details className="audit-details">
      <summary aria-label={`Details of record ${id}`}>Details</summary>
      <Facts
        facts={[
          ...Object.entries(details).map(([name, value]) => [name, formatValue(value)] as const),
          ['Action', action],
          ['User id', userId === null ? null : String(userId)],
          ['Request', requestId],
          // Omits an id that would only repeat another.
          ['Server request', serverRequestId === requestId ? null : serverRequestId],
          ['Record', id],
        ]}
      />
    </details>
  );
}

function formatValue(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(', ');
  return JSON.stringify(value);
}
