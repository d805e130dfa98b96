import { Alert, Code, Group, Stack, Text } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { CopyCommand } from '../values/copy-text.tsx';

interface ShownOnceProps {
  /** The kind of secret, such as "API key". */
  what: string;
  secret: string;
  /** Instructions for the secret. */
  children: ReactNode;
}

/** Shows a secret that no later response contains, with a warning. */
export function ShownOnce({ what, secret, children }: ShownOnceProps) {
  return (
    <Stack gap="sm">
      <Alert color="yellow" icon={<IconKey />} title="Copy it now: it is shown only this once">
        {children}
      </Alert>
      <Text size="sm" fw={600}>
        {what}
      </Text>
      <Group gap="sm" align="stretch">
        <Code block className="breakable" style={{ flex: '1 1 16rem', whiteSpace: 'pre-wrap' }}>
          {secret}
        </Code>
        <CopyCommand
          size="sm"
          text={secret}
          name={`Copy the ${what.replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase())}`}
        />
      </Group>
    </Stack>
  );
}
