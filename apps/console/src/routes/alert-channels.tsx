import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { createFileRoute } from '@tanstack/react-router';
import { ChannelTable } from '../alerts/channel-table.tsx';
import { CreateChannelDialog } from '../alerts/create-channel-dialog.tsx';
import { integrationApi } from '../api/clients.ts';
import { LIVE_MS } from '../api/queries.ts';
import { PageHead } from '../parts/page-head.tsx';
import { EmptyScreen } from '../status-screens/empty-screen.tsx';

export const Route = createFileRoute('/alert-channels')({ component: AlertChannels });

/** The maximum number of channels of a workspace. */
const MAX_CHANNELS = 5;

function AlertChannels() {
  const { data: channels } = integrationApi.useSuspenseQuery(
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
        Chats and programs that get a message when an endpoint is failing, was disabled or has recovered, and
        when deliveries were given up. A channel gets at most one message an hour of an endpoint and event.
      </PageHead>
      <div className="panel">
        {channels.length === 0 ? (
          <EmptyScreen title="No alert channel yet" action={add}>
            Add a chat in Slack or Microsoft Teams, or your own program, to learn of a failing endpoint before
            it is disabled.
          </EmptyScreen>
        ) : (
          <ChannelTable channels={channels} />
        )}
      </div>
      <CreateChannelDialog isOpen={isOpen} close={close} />
    </>
  );
}
