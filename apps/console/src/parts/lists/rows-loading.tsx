import { Skeleton, Stack } from '@mantine/core';

interface RowsLoadingProps {
  label: string;
  rows?: number;
  height?: number;
}

/** The placeholder of a list that is loading. */
export function RowsLoading({ label, rows = 4, height = 40 }: RowsLoadingProps) {
  return (
    <Stack gap="sm" role="status" aria-label={label}>
      {Array.from({ length: rows }, (_, place) => (
        <Skeleton key={place} height={height} />
      ))}
    </Stack>
  );
}
