import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { managementApi } from '../api/clients.ts';
import { problemsOf } from '../api/field-problems.ts';
import { queries } from '../api/queries.ts';
import { OverlapChoice } from '../parts/overlap-choice.tsx';
import { ProblemNotice } from '../parts/problem-notice.tsx';
import { ShownOnce } from '../parts/shown-once.tsx';
import { fullTime } from '../text/times.ts';
import { type Endpoint, hostOf } from './endpoint.ts';

const DAY_SECONDS = 86_400;

interface RotateSecretDialogProps {
  endpoint: Endpoint;
  isOpen: boolean;
  close: () => void;
}

/** Replaces the signing secret of an endpoint, and shows the new one once. */
export function RotateSecretDialog({ endpoint, isOpen, close }: RotateSecretDialogProps) {
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title={`Rotate the signing secret of ${hostOf(endpoint.url)}`}
      size="lg"
      centered
      // The secret is shown only once, so a click beside the dialog must not close it.
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Rotation endpoint={endpoint} close={close} />
    </Modal>
  );
}

function Rotation({ endpoint, close }: Omit<RotateSecretDialogProps, 'isOpen'>) {
  const [overlapSeconds, setOverlapSeconds] = useState(DAY_SECONDS);
  const [rotatedAt, setRotatedAt] = useState<Date | null>(null);
  const { mutate, data, error, isPending } = managementApi.useMutation(
    'post',
    '/webhooks/{id}/rotate-secret',
    {
      onSuccess: () => {
        setRotatedAt(new Date());
        void queries.invalidateQueries();
      },
    },
  );
  if (data !== undefined && rotatedAt !== null) {
    const until = new Date(rotatedAt.getTime() + overlapSeconds * 1_000);
    return (
      <Stack>
        <ShownOnce what="New signing secret" secret={data.secret}>
          {overlapSeconds === 0
            ? 'The old secret is no longer used. Give the new one to the receiver now: until then it refuses events, which are retried.'
            : `Until ${fullTime(until)}, events are signed with both secrets. Give the new one to the receiver before then.`}
        </ShownOnce>
        <Group justify="flex-end">
          <Button onClick={close}>I have stored it</Button>
        </Group>
      </Stack>
    );
  }
  const { fields, general } = problemsOf(error, ['overlapSeconds']);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        mutate({ params: { path: { id: endpoint.id } }, body: { overlapSeconds } });
      }}
    >
      <Stack>
        <Text size="sm">
          A new secret signs every attempt from now on, including those of deliveries that are waiting.
        </Text>
        <OverlapChoice
          value={overlapSeconds}
          description="For how long events are signed with the old secret as well."
          error={fields.overlapSeconds}
          onChange={setOverlapSeconds}
        />
        <ProblemNotice problem={general} />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={isPending}>
            Rotate the secret
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
