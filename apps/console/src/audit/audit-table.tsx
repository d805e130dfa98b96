import { Text } from '@mantine/core';
import { IconShieldX } from '@tabler/icons-react';
import type { components } from '../api/generated/console.ts';
import { CardTable } from '../parts/card-table.tsx';
import { Facts } from '../parts/facts.tsx';
import { PageLink } from '../parts/page-links.tsx';
import { Sign } from '../parts/sign.tsx';
import { At } from '../parts/time.tsx';
import './audit.css';
import { actionName, objectName } from './audit-words.ts';

type AuditEntry = components['schemas']['ConsoleAuditRecord'];

/** Who did what, in the order that the records are given in. */
export function AuditTable({ records }: { records: readonly AuditEntry[] }) {
  return (
    <CardTable caption="Audit log" columns={['What', 'Object', 'Who', 'From', 'When', 'Details']}>
      {records.map((record) => (
        <AuditRow key={record.id} record={record} />
      ))}
    </CardTable>
  );
}

function AuditRow({ record }: { record: AuditEntry }) {
  const { action, objectType, objectId, userId, userName, ipAddress, at } = record;
  return (
    <tr>
      <th scope="row">
        {action === 'request.refused' ? (
          <Sign color="red.6" icon={<IconShieldX size={16} />} tone="danger">
            {actionName(action)}
          </Sign>
        ) : (
          <Text size="sm" fw={500}>
            {actionName(action)}
          </Text>
        )}
      </th>
      <td data-label="Object" className="breakable">
        {objectName(objectType, objectId)}
      </td>
      <td data-label="Who">
        {userId === null ? (
          'the system'
        ) : (
          <PageLink
            to="/audit-log"
            search={(before) => ({ ...before, user_id: userId })}
            resetScroll={false}
            aria-label={`Only what ${userName ?? `user ${userId}`} did`}
          >
            {userName ?? `User ${userId}`}
          </PageLink>
        )}
      </td>
      <td data-label="From" className="breakable">
        {ipAddress ?? '–'}
      </td>
      <td data-label="When">
        <At at={at} />
      </td>
      <td data-label="Details">
        <Details record={record} />
      </td>
    </tr>
  );
}

function Details({ record }: { record: AuditEntry }) {
  const { id, action, userId, requestId, serverRequestId, details } = record;
  return (
    <details className="audit-details">
      <summary aria-label={`Details of record ${id}`}>Details</summary>
      <Facts
        facts={[
          ...Object.entries(details).map(([name, value]) => [name, textOf(value)] as const),
          ['Action', action],
          ['User id', userId === null ? null : String(userId)],
          ['Request', requestId],
          // The same id twice would say nothing.
          ['Server request', serverRequestId === requestId ? null : serverRequestId],
          ['Record', id],
        ]}
      />
    </details>
  );
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(', ');
  return JSON.stringify(value);
}
