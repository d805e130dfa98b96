import { JsonInput } from '@mantine/core';
import type { Endpoint } from '../endpoint.ts';

interface FilterFieldProps {
  value: string;
  /** What the API says of it. */
  error: unknown;
  onChange: (value: string) => void;
}

/** The filter of an endpoint as JSON. The API checks what it says, and names the place of a mistake. */
export function FilterField({ value, error, onChange }: FilterFieldProps) {
  return (
    <JsonInput
      label="Filter"
      description="Which of these events are sent, by their data, as JSON. Empty for all."
      placeholder='{ "type": { "$in": ["doc_open", "doc_download"] } }'
      ff="monospace"
      autosize
      minRows={2}
      maxRows={16}
      spellCheck={false}
      value={value}
      error={filterProblem(value) ?? (error as string | undefined)}
      onChange={onChange}
    />
  );
}

/** What is wrong with the text of a filter before the API sees it; null if it is JSON of an object, or empty. */
export function filterProblem(text: string): string | null {
  if (text.trim() === '') return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? null
      : 'must be a JSON object';
  } catch {
    return 'must be valid JSON';
  }
}

/** The filter of a text that `filterProblem` has nothing against; null for all events. */
export function parseFilter(text: string): Endpoint['filter'] {
  return text.trim() === '' ? null : (JSON.parse(text) as Endpoint['filter']);
}

/** A filter as the text of the form. */
export function formatFilter(filter: Endpoint['filter']): string {
  return filter === null ? '' : JSON.stringify(filter, null, 2);
}
