import { Group, Text } from '@mantine/core';
import type { Series } from './time-chart.tsx';

/** The legend of a chart. */
export function Legend({ series }: { series: readonly Series[] }) {
  return (
    <Group gap="md" aria-hidden>
      {series.map(({ label, color }) => (
        <Group key={label} gap={6} wrap="nowrap">
          <span
            style={{
              width: 10,
              height: 10,
              borderRadius: 3,
              background: `var(--mantine-color-${color})`,
            }}
          />
          <Text size="xs" c="dimmed">
            {label}
          </Text>
        </Group>
      ))}
    </Group>
  );
}
