import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface SignProps {
  /** A colour of the theme's palette with a shade. */
  color: string;
  icon: ReactNode;
  children: ReactNode;
  /** Also emphasises the words. */
  tone?: 'plain' | 'warning' | 'danger';
}

/** A state in words with a coloured icon, so that it can be understood without the colour. */
export function Sign({ color, icon, children, tone = 'plain' }: SignProps) {
  return (
    <Group gap={6} wrap="nowrap" component="span">
      <Text span c={color} lh={0} aria-hidden>
        {icon}
      </Text>
      <Text span size="sm" fw={500} className={tone === 'plain' ? '' : `${tone}-text`}>
        {children}
      </Text>
    </Group>
  );
}
