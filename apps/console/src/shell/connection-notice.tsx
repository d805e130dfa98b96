import { Alert } from '@mantine/core';
import { useNetwork } from '@mantine/hooks';
import { IconWifiOff } from '@tabler/icons-react';

/** Shows that the browser is offline and the content may be outdated. */
export function ConnectionNotice() {
  const { online } = useNetwork();
  if (online) return null;
  return (
    <Alert color="yellow" icon={<IconWifiOff />} title="You are offline" mb="md" role="status">
      This page may be out of date. It is refreshed as soon as there is a connection.
    </Alert>
  );
}
