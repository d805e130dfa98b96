import { Alert } from '@mantine/core';
import { useNetwork } from '@mantine/hooks';
import { IconWifiOff } from '@tabler/icons-react';

/** Says that the browser is offline, over what was read before. */
export function ConnectionNotice() {
  const { online } = useNetwork();
  if (online) return null;
  return (
    <Alert color="yellow" icon={<IconWifiOff />} title="You are offline" mb="md" role="status">
      What you see was read before. It is read again as soon as there is a connection.
    </Alert>
  );
}
