import { Button, Checkbox, Group, Select, Stack, TextInput } from '@mantine/core';
import { integrationApi } from '../api/clients.ts';
import { useRequestForm } from '../api/request-form.ts';
import { FormEnd } from '../parts/forms/form-end.tsx';
import { SecretDialog } from '../parts/forms/secret-dialog.tsx';
import { ShownOnce } from '../parts/forms/shown-once.tsx';
import { type AlertEvent, type ChannelKind, EVENTS, KINDS } from './alert-words.ts';

const EMPTY = {
  kind: 'slack' as ChannelKind,
  url: '',
  description: '',
  events: EVENTS.map<AlertEvent>(({ value }) => value),
};

interface CreateChannelDialogProps {
  isOpen: boolean;
  close: () => void;
}

/** Adds an alert channel. The secret of a webhook is shown once. */
export function CreateChannelDialog({ isOpen, close }: CreateChannelDialogProps) {
  return (
    <SecretDialog isOpen={isOpen} close={close} title="Add an alert channel">
      <Creation close={close} />
    </SecretDialog>
  );
}

function Creation({ close }: { close: () => void }) {
  const request = integrationApi.useMutation('post', '/alert-channels', {
    onSuccess: ({ secret }) => {
      if (secret === null) close();
    },
  });
  const { form, problem } = useRequestForm(EMPTY, request);
  const secret = request.data?.secret ?? null;
  if (secret !== null) {
    return (
      <Stack>
        <ShownOnce what="Signing secret" secret={secret}>
          It signs the messages to this channel in the same way as webhooks.
        </ShownOnce>
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            I have stored it
          </Button>
        </Group>
      </Stack>
    );
  }
  const { kind, url, description, events } = form.values;
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(() =>
        request.mutate({
          body: {
            kind,
            url: url.trim(),
            events,
            ...(description.trim() !== '' && { description: description.trim() }),
          },
        }),
      )}
    >
      <Stack>
        <Select
          label="Kind"
          data={KINDS.map(({ value, label }) => ({ value, label }))}
          allowDeselect={false}
          {...form.getInputProps('kind')}
        />
        <TextInput
          label="URL"
          description={KINDS.find(({ value }) => value === kind)?.about}
          placeholder="https://"
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          required
          {...form.getInputProps('url')}
        />
        <TextInput
          label="Description"
          placeholder="On-call"
          autoComplete="off"
          {...form.getInputProps('description')}
        />
        <Checkbox.Group label="Send a message when" {...form.getInputProps('events')}>
          <Stack gap="xs" mt={8}>
            {EVENTS.map(({ value, label, about }) => (
              <Checkbox key={value} value={value} label={label} description={about} />
            ))}
          </Stack>
        </Checkbox.Group>
        <FormEnd
          action="Add the channel"
          error={problem}
          isPending={request.isPending}
          isBlocked={url.trim() === '' || events.length === 0}
          cancel={close}
        />
      </Stack>
    </form>
  );
}
