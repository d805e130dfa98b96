import { TextInput } from '@mantine/core';
import { localTime } from '../../text/times.ts';

interface TimeFieldProps {
  label: string;
  /** In the format of the API; undefined for no time. */
  value: string | undefined;
  onChange: (at: string | undefined) => void;
}

/** A field for a date and a time of day, in the time zone of the reader. */
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
