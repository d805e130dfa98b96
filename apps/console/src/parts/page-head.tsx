import { Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';

interface PageHeadProps {
  title: string;
  /** The purpose of the page, in one sentence. */
  children?: ReactNode;
  /** Buttons of the page. */
  actions?: ReactNode;
}

/** The heading of a page, which is also the title of the window. */
export function PageHead({ title, children, actions }: PageHeadProps) {
  useEffect(() => {
    document.title = `${title} · Deal Signals`;
  }, [title]);
  return (
    <Group justify="space-between" align="flex-start" mb="lg" gap="sm">
      <Stack gap={2} flex="1 1 18rem">
        <Title order={1} className="breakable">
          {title}
        </Title>
        {children !== undefined && (
          <Text c="dimmed" component="div">
            {children}
          </Text>
        )}
      </Stack>
      {actions}
    </Group>
  );
}
