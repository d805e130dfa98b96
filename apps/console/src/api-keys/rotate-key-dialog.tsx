import { integrationApi } from '../api/clients.ts';
import { RotationForm } from '../parts/forms/rotation-form.tsx';
import { SecretDialog } from '../parts/forms/secret-dialog.tsx';
import type { ApiKey } from './api-key.ts';
import { KeyShown } from './key-shown.tsx';

interface RotateKeyDialogProps {
  apiKey: ApiKey;
  isOpen: boolean;
  close: () => void;
}

/** Replaces a key with a new one, and shows that once. */
export function RotateKeyDialog({ apiKey, isOpen, close }: RotateKeyDialogProps) {
  return (
    <SecretDialog isOpen={isOpen} close={close} title={`Rotate ${apiKey.name}`}>
      <Rotation apiKey={apiKey} close={close} />
    </SecretDialog>
  );
}

function Rotation({ apiKey, close }: Omit<RotateKeyDialogProps, 'isOpen'>) {
  const request = integrationApi.useMutation('post', '/api-keys/{id}/rotate');
  if (request.isSuccess) {
    return (
      <KeyShown secret={request.data.key} close={close}>
        {request.variables.body?.overlapSeconds === 0
          ? 'The old key no longer works. Give the new one to the system that used it.'
          : 'Give it to the system that used the old key. The list shows when the old key stops working.'}
      </KeyShown>
    );
  }
  return (
    <RotationForm
      description="How long the old key continues to work."
      action="Rotate the key"
      request={request}
      rotate={(overlapSeconds) =>
        request.mutate({ params: { path: { id: apiKey.id } }, body: { overlapSeconds } })
      }
      cancel={close}
    >
      A new key with the same name, scopes and networks replaces this one.
    </RotationForm>
  );
}
