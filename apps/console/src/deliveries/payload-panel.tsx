import { Button, Code, CopyButton, Group, Tabs, Text, Title } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { JsonTree } from '../parts/json-tree.tsx';
import { curlCommand } from './curl.ts';
import type { DeliveryDetail } from './delivery-detail.ts';

/** What every attempt sends: as a tree, and as a command that sends it to the reader's own receiver. */
export function PayloadPanel({ delivery }: { delivery: DeliveryDetail }) {
  const curl = curlCommand(delivery);
  return (
    <section className="panel" aria-labelledby="payload">
      <Title order={2} id="payload" mb="xs">
        Payload
      </Title>
      <Tabs defaultValue="json" keepMounted={false}>
        <Group justify="space-between" gap="xs" mb="sm">
          <Tabs.List>
            <Tabs.Tab value="json">JSON</Tabs.Tab>
            <Tabs.Tab value="curl">As curl</Tabs.Tab>
          </Tabs.List>
          <Group gap="xs">
            <Copy text={JSON.stringify(delivery.payload, null, 2)} name="Copy JSON" />
            <Copy text={curl} name="Copy as curl" />
          </Group>
        </Group>
        <Tabs.Panel value="json">
          <JsonTree value={delivery.payload} label="Payload" />
        </Tabs.Panel>
        <Tabs.Panel value="curl">
          <Text size="sm" c="dimmed" mb="xs">
            Sends the same body to a receiver on your machine. The two signature headers and their timestamp
            are left out, because only deliveries are signed: switch the check off there, or register the
            receiver as an endpoint and send this event again.
          </Text>
          <Code block mah={320} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }} tabIndex={0}>
            {curl}
          </Code>
        </Tabs.Panel>
      </Tabs>
    </section>
  );
}

function Copy({ text, name }: { text: string; name: string }) {
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <Button
          size="compact-sm"
          variant="default"
          leftSection={copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
          onClick={copy}
        >
          {copied ? 'Copied' : name}
        </Button>
      )}
    </CopyButton>
  );
}
