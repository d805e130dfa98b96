import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { createFileRoute } from '@tanstack/react-router';
import { ChannelTable } from '../alerts/channel-table.tsx';
import { CreateChannelDialog } from '../alerts/create-channel-dialog.tsx';
import { managementApi } from '../api/clients.ts';
import { LIVE_MS } from '../api/queries.ts';
import { PageHead } from '../parts/page-head.tsx';
import { EmptyScreen } from '../screens/empty-screen.tsx';

export const Route = createFileRoute('/alert-channels')({ component: AlertChannels });

/** How many channels a workspace may have. */
const MAX_CHANNELS = 5;

function AlertChannels() {
  const { data: channels } = managementApi.useSuspenseQuery(
    'get',
    '/alert-channels',
    {},
    { refetchInterval: LIVE_MS },
  ).data;
  const [isOpen, { open, close }] = useDisclosure();
  const add = (
    <Button leftSection={<IconPlus size={16} />} onClick={open} disabled={channels.length >= MAX_CHANNELS}>
      Add a channel
    </Button>
  );
  return (
    <>
      <PageHead title="Alert channels" actions={channels.length === 0 ? undefined : add}>
        Where you are told that an endpoint fails, was disabled or has recovered, and that deliveries were
        given up. Of the same, one message comes in an hour.
      </PageHead>
      <div className="panel">
        {channels.length === 0 ? (
          <EmptyScreen title="No alert channel yet" action={add}>
            A chat in Slack or Microsoft Teams, or a URL of yours, can be told before deliveries are lost.
          </EmptyScreen>
        ) : (
          <ChannelTable channels={channels} />
        )}
      </div>
      <CreateChannelDialog isOpen={isOpen} close={close} />
    </>
  );
}
