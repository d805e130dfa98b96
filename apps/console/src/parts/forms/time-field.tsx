import { TextInput } from '@mantine/core';
import { localTime } from '../../text/times.ts';

interface TimeFieldProps {
  label: string;
  /** In the API's format; undefined for no time. */
  value: string | undefined;
  onChange: (at: string | undefined) => void;
}

/** A field for a date and a time in the reader's time zone. */
export function TimeField({ label, value, onChange }: TimeFieldProps) {
  return (
    <TextInput
      type="datetime-local"
      label={label}
      value={value === undefined ? '' : localTime(new Date(value))}
      onChange={({ currentTarget }) =>
        onChange(currentTarget.value === '' ? undefined : new Date(currentTarget.value).toISOString())
      }
    />
  );
}
