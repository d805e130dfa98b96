import { JsonInput } from '@mantine/core';
import { ApiFailure } from '../../api/failures.ts';
import { firstPart } from '../../api/request-form.ts';
import type { Endpoint } from '../endpoint.ts';

interface FilterFieldProps {
  value: string;
  /** Why the API refused the form; it may be about something else. */
  failure: unknown;
  onChange: (value: string) => void;
}

/** The filter of an endpoint as JSON. The API checks it, and its message says where in the filter a mistake is. */
export function FilterField({ value, failure, onChange }: FilterFieldProps) {
  return (
    <JsonInput
      label="Filter"
      description="Which of these events are sent, by their data, as JSON. Empty for all."
      placeholder='{ "type": { "$in": ["doc_open", "doc_download"] } }'
      autosize
      minRows={2}
      maxRows={16}
      spellCheck={false}
      value={value}
      error={filterProblem(value) ?? refusal(failure)}
      onChange={onChange}
    />
  );
}

/** What the API says of the filter, with the path: other fields are small enough to do without. */
function refusal(failure: unknown): string | undefined {
  const isOfFilter = failure instanceof ApiFailure && firstPart(failure.field ?? '') === 'filter';
  return isOfFilter ? failure.message : undefined;
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
