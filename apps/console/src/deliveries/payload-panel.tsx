import { Code, Group, Tabs, Text } from '@mantine/core';
import { CopyCommand } from '../parts/values/copy-text.tsx';
import { JsonTree } from '../parts/values/json-tree.tsx';
import { Panel } from '../parts/panel.tsx';
import { curlCommand } from './curl.ts';
import type { DeliveryDetail } from './delivery-detail.ts';

/** Shows the payload of a delivery: as a tree, and as a command that sends it to the reader's own receiver. */
export function PayloadPanel({ delivery }: { delivery: DeliveryDetail }) {
  const curl = curlCommand(delivery);
  return (
    <Panel title="Payload">
      <Tabs defaultValue="json" keepMounted={false}>
        <Group justify="space-between" gap="xs" mb="sm">
          <Tabs.List>
            <Tabs.Tab value="json">JSON</Tabs.Tab>
            <Tabs.Tab value="curl">As curl</Tabs.Tab>
          </Tabs.List>
          <Group gap="xs">
            <CopyCommand
              variant="default"
              text={JSON.stringify(delivery.payload, null, 2)}
              name="Copy JSON"
            />
            <CopyCommand variant="default" text={curl} name="Copy as curl" />
          </Group>
        </Group>
        <Tabs.Panel value="json">
          <JsonTree value={delivery.payload} label="Payload" />
        </Tabs.Panel>
        <Tabs.Panel value="curl">
          <Text size="sm" c="dimmed" mb="xs">
            Sends the same body to a receiver on your machine. The two signature headers and their timestamp
            are left out, because only deliveries are signed: turn off signature checks in your receiver, or
            register it as an endpoint and send this event again.
          </Text>
          <Code block mah={320} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }} tabIndex={0}>
            {curl}
          </Code>
        </Tabs.Panel>
      </Tabs>
    </Panel>
  );
}
