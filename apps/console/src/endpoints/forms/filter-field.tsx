import { JsonInput } from '@mantine/core';
import { ApiFailure } from '../../api/failures.ts';
import { firstPart } from '../../api/request-form.ts';
import type { Endpoint } from '../endpoint.ts';

interface FilterFieldProps {
  value: string;
  /** The API's error for the form, which may be about another field. */
  failure: unknown;
  onChange: (value: string) => void;
}

/** The filter of an endpoint as JSON. The API checks it, and its message contains the path of an error. */
export function FilterField({ value, failure, onChange }: FilterFieldProps) {
  return (
    <JsonInput
      label="Filter"
      description="Restricts these events by their data, as JSON. Leave empty to send all."
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

/** Returns the API's message about the filter, with the path of the error. */
function refusal(failure: unknown): string | undefined {
  const isOfFilter = failure instanceof ApiFailure && firstPart(failure.field ?? '') === 'filter';
  return isOfFilter ? failure.message : undefined;
}

/** Validates the text of a filter before it is sent. Returns null if it is a JSON object or empty. */
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

/** Parses a valid filter text; null for all events. */
export function parseFilter(text: string): Endpoint['filter'] {
  return text.trim() === '' ? null : (JSON.parse(text) as Endpoint['filter']);
}

/** Returns the text of a filter for the form. */
export function formatFilter(filter: Endpoint['filter']): string {
  return filter === null ? '' : JSON.stringify(filter, null, 2);
}
