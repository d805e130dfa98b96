import { Text } from '@mantine/core';
import { integrationApi } from '../api/clients.ts';
import { CopyIcon } from '../parts/values/copy-text.tsx';

/** Shows the source addresses of deliveries, for the firewall of a receiver. */
export function SourceAddresses() {
  const { data } = integrationApi.useQuery('get', '/webhook-sources', {});
  if (data === undefined) return null;
  const { addresses, plannedAddresses, plannedFrom } = data;
  return (
    <Text size="sm" c="dimmed" component="div" mt="sm">
      {addresses === null ? (
        'The operator of this service does not publish the addresses that deliveries come from.'
      ) : (
        <>
          Deliveries come from {addresses.join(', ')}
          <CopyIcon text={addresses.join('\n')} what="the addresses" />
        </>
      )}
      {plannedAddresses !== null && (
        <div>
          From {plannedFrom} on they may come from {plannedAddresses.join(', ')}
          <CopyIcon text={plannedAddresses.join('\n')} what="the planned addresses" />
        </div>
      )}
    </Text>
  );
}
