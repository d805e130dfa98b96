import { Button, Code, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { CopyCommand } from '../parts/values/copy-text.tsx';
import { ShownOnce } from '../parts/forms/shown-once.tsx';
import { curlWith } from './api-key.ts';

interface KeyShownProps {
  /** The key itself. */
  secret: string;
  /** Further information about the key. */
  children: ReactNode;
  close: () => void;
}

/** Shows a new key once, with a request to try it. */
export function KeyShown({ secret, children, close }: KeyShownProps) {
  const curl = curlWith(secret, window.location.origin);
  return (
    <Stack>
      <ShownOnce what="API key" secret={secret}>
        {children}
      </ShownOnce>
      <Stack gap={6}>
        <Group justify="space-between">
          <Text size="sm" fw={600}>
            Try it
          </Text>
          <CopyCommand variant="subtle" text={curl} name="Copy the command" />
        </Group>
        <Code block className="breakable" style={{ whiteSpace: 'pre-wrap' }}>
          {curl}
        </Code>
      </Stack>
      <Group justify="flex-end">
        <Button variant="default" onClick={close}>
          I have stored it
        </Button>
      </Group>
    </Stack>
  );
}
