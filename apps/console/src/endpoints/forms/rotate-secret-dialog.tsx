import { Button, Group, Stack, Text } from '@mantine/core';
import { integrationApi } from '../../api/clients.ts';
import { RotationForm } from '../../parts/forms/rotation-form.tsx';
import { SecretDialog } from '../../parts/forms/secret-dialog.tsx';
import { ShownOnce } from '../../parts/forms/shown-once.tsx';
import { fullTime } from '../../text/times.ts';
import { type Endpoint, endpointHost } from '../endpoint.ts';
import { PingPanel } from './ping-panel.tsx';

interface RotateSecretDialogProps {
  endpoint: Endpoint;
  isOpen: boolean;
  close: () => void;
}

/** Replaces the signing secret of an endpoint, and shows the new one once. */
export function RotateSecretDialog({ endpoint, isOpen, close }: RotateSecretDialogProps) {
  return (
    <SecretDialog
      isOpen={isOpen}
      close={close}
      title={`Rotate the signing secret of ${endpointHost(endpoint.url)}`}
    >
      <Rotation endpoint={endpoint} close={close} />
    </SecretDialog>
  );
}

function Rotation({ endpoint, close }: Omit<RotateSecretDialogProps, 'isOpen'>) {
  const request = integrationApi.useMutation('post', '/webhooks/{id}/rotate-secret');
  if (request.isSuccess) {
    const { overlapSeconds = 0 } = request.variables.body ?? {};
    const until = new Date(request.submittedAt + overlapSeconds * 1_000);
    return (
      <Stack>
        <ShownOnce what="New signing secret" secret={request.data.secret}>
          {overlapSeconds === 0
            ? 'The old secret is no longer used. Give the new one to the receiver now: until then it rejects events, which are retried.'
            : `Until ${fullTime(until)}, events are signed with both secrets. Give the new one to the receiver before then.`}
        </ShownOnce>
        <Text size="sm">
          {overlapSeconds === 0
            ? 'Once the receiver has it, send a test event to check that it accepts signatures of the new secret.'
            : 'Send a test event to check that the receiver accepts events signed with both secrets. Only after the overlap is it certain that it uses the new secret.'}
        </Text>
        <PingPanel endpointId={endpoint.id} />
        <Group justify="flex-end">
          <Button onClick={close}>I have stored it</Button>
        </Group>
      </Stack>
    );
  }
  return (
    <RotationForm
      description="How long events are also signed with the old secret."
      action="Rotate the secret"
      request={request}
      rotate={(overlapSeconds) =>
        request.mutate({ params: { path: { id: endpoint.id } }, body: { overlapSeconds } })
      }
      cancel={close}
    >
      A new secret signs every attempt from now on, including those of waiting deliveries.
    </RotationForm>
  );
}
