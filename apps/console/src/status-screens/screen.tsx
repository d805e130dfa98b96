import { Center, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface ScreenProps {
  icon: ReactNode;
  title: string;
  /** The explanation and the next step, in a sentence or two. */
  children: ReactNode;
  /** Buttons, or a form. */
  action?: ReactNode;
  tone?: 'plain' | 'bad';
  /** The level of its heading: 1 if the page shows nothing else. */
  level?: 1 | 2;
}

/** A message that replaces the content of a page or a part of it. */
export function Screen({ icon, title, children, action, tone = 'plain', level = 2 }: ScreenProps) {
  return (
    <Center p="xl" mih="18rem">
      <Stack align="center" gap="sm" maw="32rem" w="100%">
        <ThemeIcon
          size={52}
          radius="xl"
          variant="light"
          color={tone === 'bad' ? 'red' : 'signal'}
          aria-hidden
        >
          {icon}
        </ThemeIcon>
        <Title order={level} size="h2" ta="center">
          {title}
        </Title>
        <Text ta="center" component="div" className="breakable" style={{ textWrap: 'balance' }}>
          {children}
        </Text>
        {action}
      </Stack>
    </Center>
  );
}
