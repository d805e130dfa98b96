import { Anchor, Group, Stack, Text, ThemeIcon } from '@mantine/core';
import type { ReactNode } from 'react';
import { PageButton } from '../parts/lists/page-links.tsx';
import { Panel } from '../parts/panel.tsx';

/** The first steps for a new workspace. */
export function BeginPanel() {
  return (
    <Panel title="Begin here">
      <Stack gap="lg" component="ol" m={0} p={0} style={{ listStyle: 'none' }}>
        <Step
          number={1}
          title="Create an API key"
          action={
            <PageButton to="/api-keys" search={{ create: true }} size="xs">
              Create a key
            </PageButton>
          }
        >
          Your systems use it to read calls, rooms and engagement.
        </Step>
        <Step
          number={2}
          title="Register an endpoint"
          action={
            <PageButton to="/endpoints/new" size="xs" variant="default">
              Add an endpoint
            </PageButton>
          }
        >
          A URL of yours that receives every event within seconds, without polling.
        </Step>
        <Step
          number={3}
          title="Read the reference"
          action={
            <Anchor href="/api/v1/docs" size="sm">
              Open the reference
            </Anchor>
          }
        >
          Every request with its fields, and how to verify the signature of an event.
        </Step>
      </Stack>
    </Panel>
  );
}

interface StepProps {
  number: number;
  title: string;
  children: ReactNode;
  action: ReactNode;
}

function Step({ number, title, children, action }: StepProps) {
  return (
    <Group component="li" gap="md" align="center">
      <ThemeIcon radius="xl" variant="light" aria-hidden>
        {number}
      </ThemeIcon>
      <div style={{ flex: '1 1 14rem' }}>
        <Text fw={600} size="sm">
          {title}
        </Text>
        <Text size="sm" c="dimmed">
          {children}
        </Text>
      </div>
      {action}
    </Group>
  );
}
