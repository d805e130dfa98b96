import { Select, Stack, Textarea, TextInput } from '@mantine/core';
import { integrationApi } from '../api/clients.ts';
import { useRequestForm } from '../api/request-form.ts';
import { FormEnd } from '../parts/forms/form-end.tsx';
import { SecretDialog } from '../parts/forms/secret-dialog.tsx';
import type { Scope } from './api-key.ts';
import { KeyShown } from './key-shown.tsx';
import { ScopeChoice } from './scope-choice.tsx';

const DAY_MS = 86_400_000;
/** The choices for the expiry of a key, in days. */
const LIFETIMES = [
  { value: 'never', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
];
const EMPTY = { name: '', scopes: ['read'] as Scope[], expiresAt: 'never', allowedNetworks: '' };

interface CreateKeyDialogProps {
  isOpen: boolean;
  close: () => void;
}

/** Creates a key, and shows it once. */
export function CreateKeyDialog({ isOpen, close }: CreateKeyDialogProps) {
  return (
    <SecretDialog isOpen={isOpen} close={close} title="Create an API key">
      <Creation close={close} />
    </SecretDialog>
  );
}

function Creation({ close }: { close: () => void }) {
  const request = integrationApi.useMutation('post', '/api-keys');
  const { form, problem } = useRequestForm(EMPTY, request);
  if (request.isSuccess) {
    return (
      <KeyShown secret={request.data.key} close={close}>
        Only a hash of it is stored. If it is lost, revoke it and create another one.
      </KeyShown>
    );
  }
  const { name, scopes } = form.values;
  return (
    <form noValidate onSubmit={form.onSubmit((values) => request.mutate({ body: toRequestBody(values) }))}>
      <Stack>
        <TextInput
          label="Name"
          description="The system that uses the key. Give each system its own key."
          placeholder="Data warehouse"
          autoComplete="off"
          data-autofocus
          required
          {...form.getInputProps('name')}
        />
        <ScopeChoice
          scopes={scopes}
          error={form.getInputProps('scopes').error}
          onChange={(chosen) => form.setFieldValue('scopes', chosen)}
        />
        <Select label="Expires" data={LIFETIMES} allowDeselect={false} {...form.getInputProps('expiresAt')} />
        <Textarea
          label="Allowed networks"
          description="IP addresses or networks in CIDR notation that may use the key. Leave empty to allow all."
          placeholder="192.0.2.0/24"
          rows={2}
          resize="vertical"
          spellCheck={false}
          {...form.getInputProps('allowedNetworks')}
        />
        <FormEnd
          action="Create the key"
          error={problem}
          isPending={request.isPending}
          isBlocked={name.trim() === '' || scopes.length === 0}
          cancel={close}
        />
      </Stack>
    </form>
  );
}

/** Returns the request body for the values of the form. */
function toRequestBody({ name, scopes, expiresAt, allowedNetworks }: typeof EMPTY) {
  const networks = allowedNetworks.split(/[\s,]+/).filter((network) => network !== '');
  return {
    name: name.trim(),
    scopes,
    ...(expiresAt !== 'never' && {
      expiresAt: new Date(Date.now() + Number(expiresAt) * DAY_MS).toISOString(),
    }),
    ...(networks.length > 0 && { allowedNetworks: networks }),
  };
}
