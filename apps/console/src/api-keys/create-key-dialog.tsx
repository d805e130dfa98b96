import { Button, Group, Modal, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { managementApi } from '../api/clients.ts';
import { problemsOf } from '../api/field-problems.ts';
import { queries } from '../api/queries.ts';
import { ProblemNotice } from '../parts/problem-notice.tsx';
import type { Scope } from './api-key.ts';
import { KeyShown } from './key-shown.tsx';
import { ScopeChoice } from './scope-choice.tsx';

const FIELDS = ['name', 'scopes', 'expiresAt', 'allowedNetworks'] as const;
const DAY_MS = 86_400_000;
const LIFETIMES = [
  { value: 'never', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
];

interface CreateKeyDialogProps {
  isOpen: boolean;
  close: () => void;
}

/** Creates a key, and shows it once. */
export function CreateKeyDialog({ isOpen, close }: CreateKeyDialogProps) {
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title="Create an API key"
      size="lg"
      centered
      // The key is shown only once, so a click beside the dialog must not close it.
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Creation close={close} />
    </Modal>
  );
}

function Creation({ close }: { close: () => void }) {
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<Scope[]>(['read']);
  const [lifetime, setLifetime] = useState('never');
  const [networks, setNetworks] = useState('');
  const { mutate, data, error, isPending, reset } = managementApi.useMutation('post', '/api-keys', {
    onSuccess: () => void queries.invalidateQueries(),
  });
  if (data !== undefined) {
    return (
      <KeyShown secret={data.key} close={close}>
        Only a hash of it is stored. If it is lost, revoke it and create another one.
      </KeyShown>
    );
  }
  const { fields, general } = problemsOf(error, FIELDS);
  const listed = networks.split(/[\s,]+/).filter((network) => network !== '');
  return (
    <form
      noValidate
      // An error is about what was there before.
      onInput={() => reset()}
      onSubmit={(event) => {
        event.preventDefault();
        mutate({
          body: {
            name: name.trim(),
            scopes,
            ...(lifetime !== 'never' && {
              expiresAt: new Date(Date.now() + Number(lifetime) * DAY_MS).toISOString(),
            }),
            ...(listed.length > 0 && { allowedNetworks: listed }),
          },
        });
      }}
    >
      <Stack>
        <TextInput
          label="Name"
          description="What will use the key. Give each system a key of its own."
          placeholder="Data warehouse"
          autoComplete="off"
          data-autofocus
          required
          value={name}
          error={fields.name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <ScopeChoice scopes={scopes} error={fields.scopes} onChange={setScopes} />
        <Select
          label="Expires"
          data={LIFETIMES}
          value={lifetime}
          error={fields.expiresAt}
          allowDeselect={false}
          onChange={(value) => setLifetime(value ?? 'never')}
        />
        <Textarea
          label="Allowed networks"
          description="IP addresses or networks in CIDR notation that the key works from. Empty for everywhere."
          placeholder="192.0.2.0/24"
          rows={2}
          resize="vertical"
          spellCheck={false}
          value={networks}
          error={fields.allowedNetworks}
          onChange={({ currentTarget }) => setNetworks(currentTarget.value)}
        />
        <ProblemNotice problem={general} />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={isPending} disabled={name.trim() === '' || scopes.length === 0}>
            Create the key
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
