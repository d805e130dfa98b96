import { Button, Group, Select, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { TimeField } from '../parts/forms/time-field.tsx';
import type { AuditSearch } from './audit-search.ts';
import './audit.css';
import { ACTION_CHOICES, OBJECT_TYPES } from './audit-words.ts';

/** How long typing has to pause before the log is queried, in milliseconds. */
const PAUSE_MS = 300;

interface AuditFiltersProps {
  search: AuditSearch;
  /** Replaces some filters. Undefined removes a filter. */
  change: (filters: Partial<Record<keyof AuditSearch, unknown>>) => void;
  clear: () => void;
}

/** The filters of the audit log. */
export function AuditFilters({ search, change, clear }: AuditFiltersProps) {
  return (
    <div className="audit-filters" role="search" aria-label="Audit log">
      <Select
        label="Action"
        placeholder="Any"
        clearable
        clearButtonProps={{ 'aria-label': 'Any action' }}
        data={ACTION_CHOICES}
        value={search.action ?? null}
        onChange={(action) => change({ action: action ?? undefined })}
      />
      <Select
        label="Object"
        placeholder="Any"
        clearable
        clearButtonProps={{ 'aria-label': 'Any object' }}
        data={OBJECT_TYPES.map((type) => ({ ...type }))}
        value={search.object_type ?? null}
        onChange={(type) =>
          change({ object_type: type ?? undefined, object_id: type === null ? undefined : search.object_id })
        }
      />
      <IdField
        key={search.object_type ?? ''}
        id={search.object_id ?? ''}
        isDisabled={search.object_type === undefined}
        onChange={(id) => change({ object_id: id === '' ? undefined : id })}
      />
      <TimeField label="From" value={search.since} onChange={(since) => change({ since })} />
      <TimeField label="To" value={search.until} onChange={(until) => change({ until })} />
      {Object.keys(search).length > 0 && (
        <Group gap="xs">
          {search.user_id !== undefined && (
            <Button size="xs" variant="light" onClick={() => change({ user_id: undefined })}>
              Show all users, not only user {search.user_id}
            </Button>
          )}
          <Button size="xs" variant="subtle" onClick={clear}>
            Clear all filters
          </Button>
        </Group>
      )}
    </div>
  );
}

function IdField({
  id,
  isDisabled,
  onChange,
}: {
  id: string;
  isDisabled: boolean;
  onChange: (id: string) => void;
}) {
  const [text, setText] = useState(id);
  useEffect(() => {
    if (text.trim() === id) return undefined;
    const timer = setTimeout(() => onChange(text.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, id, onChange]);
  return (
    <TextInput
      label="Object id"
      placeholder={isDisabled ? 'Choose an object' : 'Any'}
      disabled={isDisabled}
      value={text}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
    />
  );
}
