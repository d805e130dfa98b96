import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { managementApi } from '../api/clients.ts';
import { problemsOf } from '../api/field-problems.ts';
import { queries } from '../api/queries.ts';
import { OverlapChoice } from '../parts/overlap-choice.tsx';
import { ProblemNotice } from '../parts/problem-notice.tsx';
import type { ApiKey } from './api-key.ts';
import { KeyShown } from './key-shown.tsx';

const DAY_SECONDS = 86_400;

interface RotateKeyDialogProps {
  apiKey: ApiKey;
  isOpen: boolean;
  close: () => void;
}

/** Replaces a key by a new one, and shows that once. */
export function RotateKeyDialog({ apiKey, isOpen, close }: RotateKeyDialogProps) {
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title={`Rotate ${apiKey.name}`}
      size="lg"
      centered
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Rotation apiKey={apiKey} close={close} />
    </Modal>
  );
}

function Rotation({ apiKey, close }: Omit<RotateKeyDialogProps, 'isOpen'>) {
  const [overlapSeconds, setOverlapSeconds] = useState(DAY_SECONDS);
  const { mutate, data, error, isPending } = managementApi.useMutation('post', '/api-keys/{id}/rotate');
  if (data !== undefined) {
    return (
      <KeyShown
        secret={data.key}
        close={() => {
          close();
          void queries.invalidateQueries();
        }}
      >
        {overlapSeconds === 0
          ? 'The old key is refused from now on. Give the new one to the system that used it.'
          : 'Give it to the system that used the old key, which the list now shows with the time when it ends.'}
      </KeyShown>
    );
  }
  const { fields, general } = problemsOf(error, ['overlapSeconds']);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        mutate({ params: { path: { id: apiKey.id } }, body: { overlapSeconds } });
      }}
    >
      <Stack>
        <Text size="sm">A new key with the same name, scopes and networks takes the place of this one.</Text>
        <OverlapChoice
          value={overlapSeconds}
          description="For how long the old key continues to work."
          error={fields.overlapSeconds}
          onChange={setOverlapSeconds}
        />
        <ProblemNotice problem={general} />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={isPending}>
            Rotate the key
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
