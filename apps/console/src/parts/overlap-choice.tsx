import { Select } from '@mantine/core';

const OVERLAPS = [
  { value: '0', label: 'None: the old one stops at once' },
  { value: '3600', label: '1 hour' },
  { value: '86400', label: '1 day' },
  { value: '259200', label: '3 days' },
  { value: '604800', label: '7 days' },
];

interface OverlapChoiceProps {
  /** In seconds. */
  value: number;
  description: string;
  error: string | undefined;
  onChange: (seconds: number) => void;
}

/** For how long an old secret is still good after it was replaced. */
export function OverlapChoice({ value, description, error, onChange }: OverlapChoiceProps) {
  return (
    <Select
      label="Overlap"
      description={description}
      data={OVERLAPS}
      value={String(value)}
      error={error}
      allowDeselect={false}
      onChange={(text) => onChange(Number(text ?? 0))}
    />
  );
}
