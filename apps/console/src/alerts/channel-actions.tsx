import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { integrationApi } from '../api/clients.ts';
import { ConfirmDialog } from '../parts/forms/confirm-dialog.tsx';
import { ProblemNotice } from '../parts/problem-notice.tsx';
import { type AlertChannel, kindName } from './alert-words.ts';

/** The actions of an alert channel. The table shows the result of a test. */
export function ChannelActions({ channel }: { channel: AlertChannel }) {
  const [isOpen, { open, close }] = useDisclosure();
  const path = { id: channel.id };
  const test = integrationApi.useMutation('post', '/alert-channels/{id}/test');
  const removal = integrationApi.useMutation('delete', '/alert-channels/{id}', { onSuccess: close });
  const name = `${kindName(channel.kind)} ${channel.host}`;
  return (
    <>
      <Button
        variant="default"
        size="xs"
        aria-label={`Send a test to ${name}`}
        loading={test.isPending}
        onClick={() => test.mutate({ params: { path } })}
      >
        Send a test
      </Button>
      <Button
        variant="default"
        size="xs"
        className="danger-text"
        aria-label={`Remove ${name}`}
        onClick={open}
      >
        Remove
      </Button>
      <ProblemNotice error={test.error} />
      <ConfirmDialog
        isOpen={isOpen}
        close={close}
        title={`Remove ${name}?`}
        action="Remove the channel"
        request={removal}
        isDestructive
        confirm={() => removal.mutate({ params: { path } })}
      >
        <Text size="sm">It gets no more messages. Messages that are not sent yet are deleted.</Text>
      </ConfirmDialog>
    </>
  );
}
