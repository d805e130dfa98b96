import { Center, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface ScreenProps {
  icon: ReactNode;
  title: string;
  /** The effect and what to do, in one or two sentences. */
  children: ReactNode;
  /** Buttons, or a form. */
  action?: ReactNode;
  tone?: 'plain' | 'bad';
  /** The level of its heading: 1 if it is all that the page shows. */
  level?: 1 | 2;
}

/** A message in place of the contents of a page or of a part of it. */
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
