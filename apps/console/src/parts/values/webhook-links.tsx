import { Group } from '@mantine/core';
import { PageButton } from '../lists/page-links.tsx';

/** Links to the webhooks about an object. */
export function WebhookLinks(about: { buyer_space_id: string } | { call_id: string }) {
  return (
    <Group gap="sm">
      <PageButton variant="default" to="/deliveries" search={about}>
        Deliveries
      </PageButton>
      <PageButton variant="light" to="/why" search={about}>
        Why didn't a webhook arrive?
      </PageButton>
    </Group>
  );
}
