import { SegmentedControl } from '@mantine/core';
import { DEFAULT_RANGE, type Range, RANGES } from './range.ts';

interface RangeChoiceProps {
  range: Range;
  onChange: (range: Range) => void;
}

/** Lets the user choose the period of a chart. */
export function RangeChoice({ range, onChange }: RangeChoiceProps) {
  return (
    <SegmentedControl
      size="xs"
      aria-label="Period"
      data={[...RANGES]}
      value={range}
      onChange={(value) => onChange(RANGES.find((one) => one.value === value)?.value ?? DEFAULT_RANGE)}
    />
  );
}
